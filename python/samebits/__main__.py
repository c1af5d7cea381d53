"""python -m samebits run [--record RUN.h5] [--watch] [--trace N] [--resume] SCRIPT ARGS...
python -m samebits watch SCRIPT ARGS...

Runs a training script with PyTorch without editing the script. The first network whose parameters an optimizer holds is recorded,
watched or traced, from its first forward pass on. "trace" writes each operation of update N. watch --chainer is for a script with
Chainer."""
import argparse
import os
import runpy
import sys


def _parser():
    parser = argparse.ArgumentParser(prog="python -m samebits", usage="%(prog)s run|watch [options] SCRIPT ...",
                                     description="record, watch or trace a training script without editing it")
    parser.add_argument("verb", choices=("run", "watch"), help="run: as the options say; watch: as run --watch")
    parser.add_argument("--record", metavar="RUN.h5", help="write the hash chain of the training there")
    parser.add_argument("--watch", action="store_true", help="look for tensors that change while the backward pass needs them")
    parser.add_argument("--only", choices=("shared",), help="watch memory alone that is shared with NumPy or DLPack: cheaper")
    parser.add_argument("--chainer", action="store_true", help="the script uses Chainer: watch alone")
    parser.add_argument("--trace", metavar="N", type=int, help="write each operation of update N")
    parser.add_argument("--trace-path", metavar="FILE", help="where; without it RUN.uN.trace.h5")
    parser.add_argument("--sketch", action="store_true", help="with --trace: for samebits bisect --nudged")
    parser.add_argument("--kept", metavar="ROW", type=int, action="append", default=[],
                        help="with --trace: write the numbers of that row too")
    parser.add_argument("--nudge", metavar="SEED", type=int, help="move every weight by one rounding before the first update")
    parser.add_argument("--every", metavar="N", type=int, default=1, help="an entry for every Nth update (1)")
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


class _Attached:
    """Waits for the first forward pass of a network that an optimizer trains, and records from there on."""

    def __init__(self, options):
        import torch

        import samebits.torch as adapter
        self._adapter, self._options, self._optimizers, self._record = adapter, options, [], None
        made = torch.optim.Optimizer.__init__

        def init(optimizer, *arguments, **named):
            made(optimizer, *arguments, **named)
            self._optimizers.append(optimizer)

        torch.optim.Optimizer.__init__ = init
        self._handle = torch.nn.modules.module.register_module_forward_pre_hook(self._before_forward)
        self._is_training = torch.is_grad_enabled

    def _before_forward(self, module, inputs):
        if self._record is not None or not self._is_training():
            return
        own = {id(p) for p in module.parameters()}
        for optimizer in self._optimizers:
            if any(id(p) in own for group in optimizer.param_groups for p in group["params"]):
                self._attach(module, optimizer, inputs)
                return

    def _attach(self, module, optimizer, inputs):
        self._handle.remove()
        o = self._options
        if o.nudge is not None:
            self._adapter.nudge(module, seed=o.nudge)
        self._record = self._adapter.record(module, optimizer, o.record, resume=o.resume, every=o.every, trace=o.trace,
                                            trace_path=o.trace_path, sketch=o.sketch, kept=o.kept, watch=o.watch or o.verb == "watch", only=o.only)
        self._record.__enter__()
        self._record._before_forward(module, inputs)

    def end(self, *error):
        if self._record is not None:
            self._record.__exit__(*error)
        else:
            from ._say import say
            say("no network was trained: no optimizer held the parameters of a module that ran")


def main(arguments=None):
    options = _parser().parse_args(arguments)
    if options.verb == "run" and not (options.record or options.watch or options.trace):
        _parser().error("run: --record, --watch or --trace is needed")
    if options.chainer and (options.verb != "watch" or options.record or options.trace):
        _parser().error("--chainer: watch alone, and neither --record nor --trace")
    attached = _AttachedToChainer() if options.chainer else _Attached(options)
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
