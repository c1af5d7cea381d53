"""python -m samebits run [--record RUN.h5] [--watch] [--trace N] [--resume] SCRIPT ARGS...
python -m samebits watch SCRIPT ARGS...

Runs a training script with PyTorch without editing the script. The first network whose parameters an optimizer holds is recorded,
watched or traced, from its first forward pass on. "trace" writes each operation of update N. watch --chainer is for a script with
Chainer."""
import argparse
import os
import runpy
import sys


def _from_one(word):
    """A whole number from 1 on."""
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 on is needed, not '{word}'")
    return int(word)


def _parser():
    parser = argparse.ArgumentParser(prog="python -m samebits", usage="%(prog)s run|watch [options] SCRIPT ...",
                                     description="record, watch or trace a training script without editing it")
    parser.add_argument("verb", choices=("run", "watch"), help="run: as the options say; watch: as run --watch")
    parser.add_argument("--record", metavar="RUN.h5", help="write the hash chain of the training there")
    parser.add_argument("--watch", action="store_true", help="look for tensors that change while the backward pass needs them")
    parser.add_argument("--only", choices=("shared",), help="watch memory alone that is shared with NumPy or DLPack: cheaper")
    parser.add_argument("--chainer", action="store_true", help="the script uses Chainer: watch alone")
    parser.add_argument("--trace", metavar="N", type=_from_one, help="write each operation of update N")
    parser.add_argument("--trace-path", metavar="FILE", help="where; without it RUN.uN.trace.h5")
    parser.add_argument("--sketch", action="store_true", help="with --trace: for samebits bisect --nudged")
    parser.add_argument("--kept", metavar="ROW", type=_from_one, action="append", default=[],
                        help="with --trace: write the numbers of that row too")
    parser.add_argument("--nudge", metavar="SEED", type=int, help="move every weight by one rounding before the first update")
    parser.add_argument("--every", metavar="N", type=_from_one, default=1, help="an entry for every Nth update (1)")
    parser.add_argument("--resume", action="store_true", help="go on with the recording at RUN.h5")
    parser.add_argument("script", help="the training script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    return parser


class _AttachedToChainer:
    """Watches all functions of Chainer from the beginning of the script on."""

    def __init__(self):
        import samebits.chainer as adapter
        self._watch = adapter.watch()
        self._watch.__enter__()

    def end(self, *error):
        from ._say import say
        self._watch.__exit__(*error)
        say(f"watch: {len(self._watch)} of {self._watch.retained} inputs that the backward pass read had changed")


def _attached(options):
    from ._torch_attach import Attached
    return Attached(options)


def _check_files(options):
    """Before anything else: can the script be read and the files be written?"""
    error = _parser().error
    if not os.path.isfile(options.script):
        error(f"{options.script}: no such script")
    for name in ("record", "trace_path"):
        path = os.path.expanduser(getattr(options, name) or "")
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder) or os.path.isdir(path):
            error(f"{path}: " + (f"there is no folder {folder}" if not os.path.isdir(folder) else "a folder, and a file is needed"))
    record = os.path.expanduser(options.record or "")
    if record and os.path.exists(record) and not options.resume:
        error(f"{record}: is there already; --resume goes on with it, or name another file")


def _make_absolute(options):
    """The recording begins at the first forward pass: the script may have changed its folder until then."""
    for name in ("record", "trace_path"):
        path = getattr(options, name)
        if path:
            setattr(options, name, os.path.abspath(os.path.expanduser(path)))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    if options.verb == "run" and not (options.record or options.watch or options.trace):
        _parser().error("run: --record, --watch or --trace is needed")
    if options.chainer and (options.verb != "watch" or options.record or options.trace):
        _parser().error("--chainer: watch alone, and neither --record nor --trace")
    _check_files(options)
    _make_absolute(options)
    attached = _AttachedToChainer() if options.chainer else _attached(options)
    sys.argv = [options.script, *options.arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(options.script))
    try:
        runpy.run_path(options.script, run_name="__main__")
    except SystemExit as end:
        attached.end(*((None, None, None) if not end.code else (type(end), end, None)))
        raise
    except BaseException as error:
        attached.end(type(error), error, error.__traceback__)
        raise
    attached.end(None, None, None)


if __name__ == "__main__":
    main()
