"""Record, watch and trace a training with PyTorch.

    import samebits.torch as sb

    with sb.record(model, optimizer, "a.h5") as run:       # one line in the training program; then samebits diff a.h5 b.h5
        for x, y in loader:
            loss = loss_fn(model(x), y); loss.backward()
            optimizer.step(); optimizer.zero_grad()
            run.update(loss)

    with sb.watch(model) as found: ...                     # tensors that change while the backward pass needs them
    with sb.record(model, optimizer, "a.h5", trace=17): ...  # and each operation of update 17, a.u17.trace.h5
    sb.nudge(model, "layer1.0.weight", index=0, ulps=1)    # how much difference does one rounding make?"""
import os

import torch as _torch
from torch.optim.optimizer import register_optimizer_step_pre_hook as _before_each_step

from . import _library as _l
from . import _site
from . import _torch_arguments as _arguments
from . import _torch_state as _state
from . import _torch_values as _values
from ._library import Error  # noqa: F401
from ._say import say as _say
from ._torch_batches import Batches
from ._torch_check import Checker  # noqa: F401
from ._torch_entries import Entries
from ._torch_failures import Failures
from ._torch_hash import hash_tensor  # noqa: F401
from ._torch_modes import without_modes as _without_modes
from ._torch_modules import Modules as _Modules
from ._torch_nudge import nudge  # noqa: F401
from ._torch_steps import Steps
from ._torch_traced import Traced
from ._torch_watch import Change, ChangedTensorError  # noqa: F401
from ._torch_watch import Watch as _Watch

_site.leave_out(_torch)

_CHECKS = ("double", "twice")

watch = _Watch  # an argument of record has this name, too


class record(Batches, Steps, Entries, Traced, Failures):
    """A context manager: records one training, an entry of the hash chain for each update.

    model, optimizer   a module and its optimizer, or a list of optimizers
    path               the file; None: nothing is recorded (to watch or trace alone)
    resume             go on with what is at the path; False and a file is there: an error, nothing is overwritten
    every              an entry for every Nth update
    also, extra        what else lasts from update to update, such as {"ema": average, "scaler": scaler}: modules, tensors, arrays,
                       numbers, objects with state_dict(), and lists and dictionaries of them
    config             {"name": value}: settings of yours that two runs are told apart by
    trace, trace_path  the update whose operations are written ("first": 1), and where
    check              of the traced update: "double" (more than rounding?), "twice" (stable?), both or ()
    sketch             sketches of the traced update's marks: samebits bisect --nudged says whether two runs differ by more than
                       rounding carries
    kept               rows of the traced update, from 1, whose numbers are written too: by how much do they differ?
    watch              look for tensors that change while the backward pass needs them; on_change, only, keep as in watch()
    strict             raise where recording fails; else it is said once and the training goes on without it

    Wrong arguments raise before the training begins. A module of torch.compile or DistributedDataParallel is recorded
    as the module in it: its names are those of a training without them."""

    _is_entered = True  # until __init__ has ended

    def __init__(self, model, optimizer=None, path=None, *, resume=False, every=1, also=None, extra=None, config=None, strict=False,
                 trace=None, trace_path=None, check=_CHECKS, sketch=False, kept=(), watch=False, on_change="warn", only=None, keep="1MiB",
                 checkpoint_seconds=60):
        self._model = _arguments.checked_model(_values.inner(model) if model is not None else None)
        self._optimizers = _arguments.checked_optimizers(optimizer)
        self._also = _arguments.checked_also({**(also or {}), **(extra or {})} if extra else also or {})
        self._path, self._trace_path = _arguments.checked_path(path), _arguments.checked_path(trace_path, "trace_path")
        self._resume, self._every, self._strict = resume, _arguments.checked_every(every), strict
        self._config, self._checkpoint_seconds = _arguments.checked_config(config), checkpoint_seconds
        self._trace_at = _arguments.checked_trace(trace)
        self._check = _arguments.checked_checks(check)
        self._sketch, self._kept = sketch, _arguments.checked_kept(kept)
        if path is None and trace is None and not watch:
            raise ValueError("path: the file of the recording is needed; without it, trace or watch")
        self._watch_options = dict(on_change=on_change, only=only, keep=keep)
        self._wants_watch = bool(watch)
        if watch:
            _Watch(**self._watch_options)  # are they right?
        self.changes = []   # what watch found
        self.findings = []  # (update, kind, sentence): all that was found in this one run
        self._recording = self._tracer = self._watch = None
        self._handles, self._gradient_handles = [], []
        self._step_handles = {}       # of each optimizer, by its id
        self._stepping = None         # the optimizer whose step has begun
        self._is_opening = self._was_traced = self._has_given_up = False
        self._running = None          # a compiled wrapper whose forward pass has begun
        self._done = self._first = 0  # updates that have ended; those before this session
        self._stepped = set()         # optimizers that stepped in this update
        self._is_explicit = None      # does the program call update()? None: unknown so far
        self._gives_batches = self._sees_forward = False
        self._batch, self._gradient, self._settings, self._pending = [], None, None, None
        self._said = set()            # kinds of sentences that come once
        self._addresses, self._weight_names = {}, {}  # names by address, of batches and of weights
        self._last_settings = None    # what the optimizer was set to last
        self._columns = {}            # name of a value: its column
        self._names = [_state.Names() for _ in _l.PARTS]
        self._given = [0] * len(_l.PARTS)
        self._is_entered = False

    def __del__(self):
        if not self._is_entered:
            _say("record() was used without 'with': nothing was recorded")

    def __enter__(self):
        self._pid, self._is_entered = os.getpid(), True
        self._modules = _Modules({"": self._model} if self._model is not None else {})
        self._modules.__enter__()
        try:
            self._guard(self._learn_addresses)
            self._is_opening = True
            self._guard(self._open)
            self._is_opening = False
            self._first = self._done
            self._begin_watch()
            self._hook()
            self._guard(self._begin_trace)
        except BaseException as error:
            self._leave()
            self._abandon(error)
            raise
        return self

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._guard(self._end_alone)
            self._guard(self._commit)
            self._stop_tracing()
            self._guard(self._end_trace, kind is None)
        except BaseException as own:
            error = own
            raise
        finally:
            try:
                self._leave()
            finally:
                self._close(error)
        if kind is None:
            self._say_what_is_missing()
        if self._wants_watch:
            n = len(self.changes)
            _say(f"watch: {n} finding{'' if n == 1 else 's'} in {self._done} update{'' if self._done == 1 else 's'}")

    def _say_what_is_missing(self):
        wants_updates = self._path is not None or self._trace_at is not None
        if wants_updates and self._done == self._first and not self._has_given_up:
            why = "no step of the optimizer was seen" if self._optimizers else "there is no optimizer"
            _say(f"0 updates were recorded: update() was not called, and {why}. Call run.update(loss) at the end of each update")
        elif self._trace_at is not None and not self._was_traced:
            _say(f"trace: no trace was written: update {self._trace_at} did not run, only {self._first + 1} to {self._done}")

    def _leave(self):
        for optimizer in self._optimizers:
            self._unhook_steps(optimizer)
        for handle in self._handles + self._gradient_handles:
            handle.remove()
        self._handles, self._gradient_handles = [], []
        if self._tracer is not None:
            self._tracer.stop()
            self._tracer = None
        if self._watch is not None:
            self._watch.__exit__(None, None, None)
            self._watch = None
        self._modules.__exit__()

    def _hook(self):
        for optimizer in self._optimizers:
            self._hook_steps(optimizer)
        self._handles.append(_before_each_step(self._before_any_step))
        hooks = _torch.nn.modules.module
        self._handles.append(hooks.register_module_forward_pre_hook(self._before_forward))
        self._handles.append(hooks.register_module_forward_hook(self._after_forward, always_call=True))
        if getattr(self._model, "_compiled_call_impl", None) is not None:
            self._handles.append(self._around_compiled(self._model._compiled_call_impl))

    def _begin_watch(self):
        if not self._wants_watch:
            return
        self._watch = _Watch(self._model, modules=self._modules, on_found=self._changed, name_of=self._name_of,
                             update_of=lambda: self._done + 1, **self._watch_options)
        self._watch.__enter__()

    def _learn_addresses(self):
        """Names by address, for watch: of this update, because memory that was given back gets other tensors."""
        self._addresses = {}
        self._weight_names = {p.data_ptr(): name for name, p in _state.named_weights(self._model)} if self._wants_watch else {}

    def _name_of(self, tensor):
        if tensor.layout is not _torch.strided:
            return ""
        return self._addresses.get(tensor.data_ptr(), "") or self._weight_names.get(tensor.data_ptr(), "")

    def _changed(self, change):
        self.changes.append(change)
        self._tell(change.kind, change.operation, change.site, change.tensor, change.module, str(change))

    def update(self, loss=None, **values):
        """At the end of an update: writes its entry. values: further numbers, a column each."""
        if not self._is_running_here("update"):
            return
        self._stop_tracing()
        self._leave_step()
        self._is_explicit, self._running = True, None
        if self._pending is not None:  # the steps so far were a part of this update
            _, batch, gradient, _, settings, _ = self._pending
            self._batch, self._gradient = (batch or []) + self._batch, (gradient or []) + (self._gradient or [])
            self._settings, self._pending, self._done = settings or self._settings, None, self._done - 1
        with _without_modes():
            self._guard(self._trace_after_update, loss)
            self._guard(self._finish, loss, values)
        self._stepped.clear()
        self._done += 1
        self._guard(self._learn_addresses)
        self._modules.forget()
        self._guard(self._begin_trace)

    def _end_alone(self):
        """An update that the program did not end by update() ends before the next one begins, once all optimizers stepped. Until it
        is known that the program never calls update(), the entry is kept and not written."""
        self._leave_step()
        if self._is_explicit or not self._optimizers or len(self._stepped) < len(self._optimizers):
            return
        self._stop_tracing()
        with _without_modes():
            self._guard(self._commit)
            self._pending = self._guard(self._collect, {})
            self._stepped.clear()
            self._trace_after_update(None)
        self._done += 1
        self._guard(self._learn_addresses)
        self._guard(self._begin_trace)


def trace(model, optimizer, path, update=1, **options):
    """record() that writes the trace of one update to `path`, and no run file."""
    return record(model, optimizer, None, trace=update, trace_path=path, **options)
