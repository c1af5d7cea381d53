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

from . import _library as _l
from . import _site
from . import _torch_arguments as _arguments
from . import _torch_state as _state
from . import _torch_values as _values
from ._library import Error  # noqa: F401
from ._say import say as _say
from ._torch_check import Checker  # noqa: F401
from ._torch_hash import hash_tensor  # noqa: F401
from ._torch_modes import without_modes as _without_modes
from ._torch_modules import Modules as _Modules
from ._torch_trace import Tracer as _Tracer
from ._torch_watch import Change, ChangedTensorError  # noqa: F401
from ._torch_watch import Watch as _Watch

_site.leave_out(_torch)

_CHECKS = ("double", "twice")


def _program():
    return f"pytorch {_torch.__version__}"


def _rank():
    """The number of this process among several that train together; None: it is alone."""
    if _torch.distributed.is_available() and _torch.distributed.is_initialized() and _torch.distributed.get_world_size() > 1:
        return _torch.distributed.get_rank()
    return None


def _path_with(path, word, ending=".h5"):
    """a.h5 -> a.WORD.h5"""
    stem = path[:-3] if path.endswith(".h5") else path
    return f"{stem}.{word}{ending}"


watch = _Watch  # an argument of record has this name, too


class record:
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

    Wrong arguments raise before the training begins. A module of torch.compile is recorded as the module that was compiled."""

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
        self._is_opening = self._was_traced = self._has_given_up = False
        self._running = None          # a compiled wrapper whose forward pass has begun
        self._done = self._first = 0  # updates that have ended; those before this session
        self._stepped = set()         # optimizers that stepped in this update
        self._is_explicit = None      # does the program call update()? None: unknown so far
        self._gives_batches = False
        self._batch, self._gradient, self._settings, self._pending = [], None, None, None
        self._said = set()            # kinds of sentences that come once
        self._addresses, self._last_settings = {}, None  # of batches by address; what the optimizer was set to last
        self._names = [_state.Names() for _ in _l.PARTS]
        self._given = [0] * len(_l.PARTS)
        self._is_entered = False

    def __del__(self):
        if not self._is_entered:
            _say("record() was used without 'with': nothing was recorded")

    # -- begin and end --

    def __enter__(self):
        self._pid, self._is_entered = os.getpid(), True
        self._modules = _Modules({"": self._model} if self._model is not None else {})
        self._modules.__enter__()
        self._parameter_names = _state.parameter_names(self._model, self._optimizers)
        self._weight_names = {p.data_ptr(): name for name, p in _state.named_weights(self._model)}
        try:
            self._is_opening = True
            self._guard(self._open)
            self._is_opening = False
            self._first = self._done
            self._begin_watch()
            self._hook()
            self._guard(self._begin_trace)
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self._guard(self._end_alone)
            self._guard(self._commit)
        self._stop_tracing()
        self._guard(self._end_trace, kind is None)
        self._leave()
        if kind is None:
            self._say_what_is_missing()
        recording, self._recording = self._recording, None
        if recording is not None:
            self._guard(recording.close, kind is None)
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

    def _guard(self, function, *arguments):
        """The training of the user never stops for the recorder: a failure is said once. Before the training begins, what the user can
        mend is raised."""
        if self._has_given_up:
            return None
        try:
            return function(*arguments)
        except Exception as error:  # whatever it is: the training is worth more than its recording
            is_users = not isinstance(error, (OSError, MemoryError)) and getattr(error, "status", _l.USAGE) == _l.USAGE
            if self._strict or (self._is_opening and is_users):
                raise
            self._give_up(error)
        return None

    def _give_up(self, error):
        recording, self._recording, self._has_given_up = self._recording, None, True
        sentence = str(error) if isinstance(error, (Error, OSError)) else f"{type(error).__name__}: {error}"
        self.findings.append((self._done + 1, "recording ended", sentence))
        _say(f"recording ends, and the training goes on: {sentence}")
        if recording is not None:
            try:
                recording.report(self._done + 1, "recording ended", sentence=sentence)
                recording.incomplete(sentence)
                recording.close(False)
            except Error:
                pass

    def _say_once(self, kind, sentence, is_finding=True):
        """What is not recorded, and why: one line, and a finding."""
        if kind in self._said:
            return
        self._said.add(kind)
        _say(f"update {self._done + 1}: {sentence}")
        if is_finding:
            self._tell("not recorded", "", _site.site(), "", "", sentence)

    def _is_mine(self):
        """A process that was forked, such as a worker of a data loader, does not record."""
        return self._handles != [] and os.getpid() == self._pid

    def _is_running_here(self, call):
        """May the program call update() and batch() now?"""
        if self._is_mine():
            return True
        if not self._handles and call not in self._said:
            self._said.add(call)
            self._is_entered = True  # it is said once
            _say(f"{call}() is called outside of 'with record(...) as run', and nothing is recorded")
        return False

    def _open(self):
        if self._path is None:
            return
        path, rank = self._path, _rank()
        self._path = path if rank is None else _path_with(path, f"r{rank}")
        recording = _l.Recording(self._path, _program(), self._resume, self._every, self._checkpoint_seconds)
        self._recording = recording
        last = recording.last()
        for name, value in [*_state.config(self._model, self._optimizers), *self._config.items()]:
            recording.setting(name, value)
        for name, value in _state.facts():
            recording.fact(name, value)
        if last >= 0:
            self._go_on(recording)
        else:
            self._fill(recording, 0, [_l.WEIGHTS, _l.OPTIMIZER, _l.STATE, _l.GENERATOR])
            recording.end()

    def _go_on(self, recording):
        """After a resume: what did the program load, and is it what was recorded?"""
        self._fill(recording, 0, [_l.WEIGHTS, _l.OPTIMIZER, _l.STATE, _l.GENERATOR])
        update = recording.where()
        update = recording.last() if update < 0 else update
        parts = recording.resumed(update)
        self._done = update
        if parts:
            sentence = f"resumed after update {update} with another {' and '.join(parts)} than was recorded then"
            self.findings.append((update + 1, "resumed otherwise", sentence))
            _say(sentence)

    # -- hooks --

    def _hook(self):
        for optimizer in self._optimizers:
            self._handles.append(optimizer.register_step_pre_hook(self._before_step))
            self._handles.append(optimizer.register_step_post_hook(self._after_step))
        hooks = _torch.nn.modules.module
        self._handles.append(hooks.register_module_forward_pre_hook(self._before_forward))
        self._handles.append(hooks.register_module_forward_hook(self._after_forward, always_call=True))
        if getattr(self._model, "_compiled_call_impl", None) is not None:
            self._handles.append(self._around_compiled(self._model._compiled_call_impl))

    def _before_forward(self, module, inputs, named=None):
        """A training that calls neither update() nor batch(): the next forward pass of the network begins the next update. Without
        gradients it is an evaluation, which is no part of the training. Of a compiled module the wrapper is seen, and in the graph
        this hook does nothing."""
        if _torch.compiler.is_compiling() or self._model is None:
            return
        if self._running is not None or (module is not self._model and getattr(module, "_orig_mod", None) is not self._model):
            return
        self._running = module if module is not self._model else None
        if self._is_mine() and _torch.is_grad_enabled():
            self._guard(self._forward_begins, inputs, _values.keyword_arguments() if named is None else named)

    def _around_compiled(self, call):
        """After model.compile() the hooks of the model are in its graph, and do nothing. The handle undoes it."""
        model = self._model

        def run(*inputs, **named):
            self._before_forward(model, inputs, named)
            self._running = model
            try:
                return call(*inputs, **named)
            finally:
                self._running = None

        class Handle:
            def remove(self):
                model._compiled_call_impl = call
        model._compiled_call_impl = run
        return Handle()

    def _after_forward(self, module, inputs, output):
        if not _torch.compiler.is_compiling() and module is self._running:
            self._running = None

    def _forward_begins(self, inputs, named):
        self._end_alone()
        if not self._gives_batches:
            with _without_modes():
                if not self._take_batch(inputs, named)[1]:
                    self._say_once("batch", "the network was given no tensor: say with run.batch(...) what it learns from", False)

    # -- the step of an optimizer --

    def _before_step(self, optimizer, args, kwargs):
        """A step with a closure computes its gradient itself: it is taken after the closure ran."""
        if not self._is_mine():
            return None
        self._guard(self._step_begins, optimizer)
        for k, argument in enumerate(args):
            if argument is not optimizer and callable(argument):
                return (*args[:k], self._around(optimizer, argument), *args[k + 1:]), kwargs
        if callable(kwargs.get("closure")):
            return args, {**kwargs, "closure": self._around(optimizer, kwargs["closure"])}
        self._guard(self._take_gradient, optimizer)
        return None

    def _around(self, optimizer, closure):
        def run(*arguments, **named):
            self._set_in_step(False)
            result = closure(*arguments, **named)
            self._guard(self._take_gradient, optimizer)
            return result
        return run

    def _set_in_step(self, is_in_step):
        if self._tracer is not None:
            self._tracer.in_step = is_in_step

    def _step_begins(self, optimizer):
        if id(optimizer) in self._stepped:
            self._end_alone()
        if self._settings is None and (self._recording is not None or self._tracer is not None):
            self._settings = _state.settings_text(self._optimizers)
        self._set_in_step(True)

    def _take_gradient(self, optimizer):
        """The gradient that this step uses. Of several steps or closures in one update each counts: 0.weight, 0.weight (2), ..."""
        with _without_modes():
            gradients = self._gradients(optimizer)
            if self._tracer is not None:
                self._name_gradients(gradients)
                self._tracer.mark("gradients of the step", gradients, _l.STEP)
                self._name_state()
            self._set_in_step(True)
            self._gradient = self._gradient or []
            if self._recording is not None:
                self._gradient += _values.hashed(gradients)

    def _after_step(self, optimizer, args, kwargs):
        if not self._is_mine():
            return
        self._set_in_step(False)
        if self._tracer is not None:
            self._guard(self._name_state)
        self._stepped.add(id(optimizer))

    def _gradients(self, optimizer):
        """(name, gradient) of the parameters of an optimizer; to the first optimizer belong also those that no optimizer has."""
        owner = {id(p): number for number, one in reversed(list(enumerate(self._optimizers))) for group in one.param_groups
                 for p in group["params"]}
        here = next((number for number, one in enumerate(self._optimizers) if one is optimizer), 0)
        inside = _state.named_weights(self._model)
        known = {id(p) for _, p in inside}
        outside = [(self._parameter_names.get(id(p), "another parameter"), p) for group in optimizer.param_groups
                   for p in group["params"] if id(p) not in known]
        return [(name, p.grad) for name, p in inside + outside if p.grad is not None and owner.get(id(p), 0) == here]

    def _end_alone(self):
        """An update that the program did not end by update() ends before the next one begins, once all optimizers stepped. Until it
        is known that the program never calls update(), the entry is kept and not written."""
        if self._is_explicit or not self._optimizers or len(self._stepped) < len(self._optimizers):
            return
        self._stop_tracing()
        with _without_modes():
            self._guard(self._commit)
            self._pending = self._guard(self._collect, {})
            self._stepped.clear()
            self._trace_after_update(None)
        self._done += 1
        self._guard(self._begin_trace)

    def _stop_tracing(self):
        """Outside of what disables modes: they are a stack."""
        if self._tracer is not None:
            self._tracer.stop()

    def _commit(self):
        pending, self._pending = self._pending, None
        if pending is not None:
            self._write(*pending)

    # -- what the program may say --

    def batch(self, *tensors, **named):
        """Before the forward pass: what is learned from: tensors, arrays, numbers, and lists, dictionaries and data classes of them.
        Without it the arguments of the network are taken."""
        if self._is_running_here("batch"):
            with _without_modes():
                self._guard(self._given_batch, tensors, named)

    def _given_batch(self, tensors, named):
        if not self._gives_batches:
            self._gives_batches, self._batch = True, []
        unknown, has_numbers = self._take_batch(tensors, named)
        if unknown:
            self._say_once("batch", f"batch{unknown[0][0]} is of type {unknown[0][1]}, and is not recorded")
        elif not has_numbers:
            self._say_once("batch", "batch() was given no tensor and no array")

    def _take_batch(self, positional, named):
        """What cannot be recorded, and whether there is a tensor or an array."""
        unknown = []
        arguments = _values.Argument.of(positional, named, unknown)
        n_before = sum(len(argument.items) for argument in self._batch)
        found = [item for argument in arguments for _, item in argument.items]
        names = _values.batch_names([*self._batch, *arguments])[n_before:]
        tensors = [(name, x) for name, x in zip(names, found) if isinstance(x, _torch.Tensor)]
        for name, tensor in tensors:
            self._name_batch(tensor, name)
        if self._tracer is not None and tensors:
            self._tracer.mark("batch", tensors)
        is_recorded = self._recording is not None and (self._done + 1) % self._every == 0
        for argument in arguments:
            argument.items = [(path, _values.hashed_with_forms(x) if is_recorded else None) for path, x in argument.items]
        self._batch += arguments
        return unknown, any(map(_values.has_numbers, found))

    def _name_batch(self, tensor, name):
        if tensor.layout is _torch.strided:
            self._addresses[tensor.data_ptr()] = name
        if self._tracer is not None:
            self._tracer.name(tensor, name)

    def update(self, loss=None, **values):
        """At the end of an update: writes its entry. values: further numbers, a column each."""
        if not self._is_running_here("update"):
            return
        self._stop_tracing()
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
        self._modules.forget()
        self._guard(self._begin_trace)

    def _finish(self, loss, values):
        numbers = {name: self._number(name, x) for name, x in {**values, "loss": loss}.items()}
        self._write(*self._collect({name: x for name, x in numbers.items() if x is not None}))

    def _number(self, name, value):
        """A column's value; None: it is no number, which is said."""
        try:
            return None if value is None else float(value.detach() if isinstance(value, _torch.Tensor) else value)
        except (TypeError, ValueError, RuntimeError):
            what = f"a tensor of shape {list(value.shape)}" if isinstance(value, _torch.Tensor) else repr(value)[:80]
            self._say_once(f"value {name}", f"update(): {name} must be one number, and {what} is not recorded")
        return None

    # -- entries --

    def _items(self, part):
        """(name, hash) of the tensors of a part as they are now."""
        if part == _l.WEIGHTS:
            return _values.hashed(_state.named_weights(self._model))
        if part == _l.STATE:
            return _values.hashed(self._state_items())
        if part == _l.OPTIMIZER:
            return _values.hashed(_state.named_optimizer_state(self._optimizers, self._parameter_names))
        return _state.generators()

    def _state_items(self):
        unknown = []
        items = _state.named_state(self._model, self._also, unknown)
        for name, kind in unknown:
            self._say_once(f"also {name}", f"also: '{name}' is now of type {kind}, and is not recorded")
        return items

    def _collect(self, numbers):
        """What the entry of the update that ends here holds; None where nothing is recorded."""
        update = self._done + 1
        batch, gradient, settings = self._batch, self._gradient, self._settings
        self._batch, self._gradient, self._settings = [], None, None
        if self._recording is None or update % self._every:
            return update, None, None, None, settings, {}
        parts = {part: self._items(part) for part in (_l.WEIGHTS, _l.OPTIMIZER, _l.STATE, _l.GENERATOR)}
        return update, batch, gradient, parts, settings, numbers

    def _write(self, update, batch, gradient, parts, settings, values):
        recording = self._recording
        if recording is None:
            return
        if settings is not None and settings != self._last_settings:
            self._last_settings = settings
            recording.settings_at(update, settings)
        if parts is None:
            return
        recording.begin(update)
        self._put_batch(recording, batch or [])
        if gradient:
            self._put(recording, _l.GRADIENT, zip(_values.numbered(name for name, _ in gradient), [x for _, x in gradient]))
        for part, items in parts.items():
            self._put(recording, part, items)
        for name, value in values.items():
            recording.value(name, float(value))
        recording.end()

    def _put_batch(self, recording, batch):
        names = _values.batch_names(batch)
        hashes = [item for argument in batch for _, item in argument.items]
        self._put_names(recording, _l.BATCH, names)
        for name, item in zip(names, hashes):
            if item is not None and item[0] != _l.NO_TENSOR:
                index = self._names[_l.BATCH].number(name)
                recording.hash(_l.BATCH, index, item[0])
                recording.forms(index, item[1], item[2])

    def _put_names(self, recording, part, names):
        known = self._names[part]
        for name in names:
            known.number(name)
        if len(known.list) != self._given[part]:
            recording.names(part, known.list)
            self._given[part] = len(known.list)

    def _put(self, recording, part, items):
        items = list(items)
        self._put_names(recording, part, [name for name, _ in items])
        for name, value in items:
            recording.hash(part, self._names[part].number(name), value)

    def _fill(self, recording, update, parts):
        recording.begin(update)
        for part in parts:
            self._put(recording, part, self._items(part))

    # -- watch --

    def _begin_watch(self):
        if not self._wants_watch:
            return
        self._watch = _Watch(self._model, modules=self._modules, on_found=self._changed, name_of=self._name_of, **self._watch_options)
        self._watch.__enter__()

    def _name_of(self, tensor):
        if tensor.layout is not _torch.strided:
            return ""
        return self._addresses.get(tensor.data_ptr(), "") or self._weight_names.get(tensor.data_ptr(), "")

    def _changed(self, change):
        self.changes.append(change)
        self._tell(change.kind, change.operation, change.site, change.tensor, change.module, str(change))

    def _tell(self, kind, operation, site, tensor, module, sentence):
        update = self._done + 1
        self.findings.append((update, kind, sentence))
        if self._recording is not None:
            self._guard(self._recording.report, update, kind, operation, site, tensor, module, sentence)

    # -- trace --

    def _begin_trace(self):
        if self._trace_at is None or self._tracer is not None or self._done + 1 != self._trace_at:
            return
        self._was_traced = True
        tracer = _Tracer(self._modules, self._check, self._sketch, self._kept)
        for name, p in _state.named_weights(self._model):
            tracer.name(p, name)
        for name, x in self._state_items():
            if isinstance(x, _torch.Tensor):
                tracer.name(x, name, replace=False)
        self._tracer = tracer
        self._name_state()
        tracer.mark("weights before", _state.named_weights(self._model))
        for name, p in _state.named_weights(self._model):
            if p.requires_grad and p.is_leaf:
                self._gradient_handles.append(p.register_post_accumulate_grad_hook(self._accumulated(name)))
        self._modules.on_output = self._module_ended
        tracer.start()

    def _module_ended(self, name, output):
        """A point that every backend has: the output of each module of the network."""
        values = output.values() if isinstance(output, dict) else output if isinstance(output, (list, tuple)) else [output]
        tensors = [x for x in values if isinstance(x, _torch.Tensor)]
        if self._tracer is not None and tensors:
            self._tracer.mark(f"output of {name or 'the network'}", [(f"output {k}", x) for k, x in enumerate(tensors)],
                              just_written=True)

    def _accumulated(self, name):
        def mark(parameter):
            if self._tracer is not None and parameter.grad is not None:
                with _without_modes():
                    self._tracer.name(parameter.grad, f"gradient of {name}")
                    self._tracer.mark(f"gradient of {name}", [("gradient", parameter.grad)], _l.BACKWARD)
        return mark

    def _name_gradients(self, gradients):
        for name, gradient in gradients:
            self._tracer.name(gradient, f"gradient of {name}", replace=False)

    def _name_state(self):
        for name, value in _state.named_optimizer_state(self._optimizers, self._parameter_names):
            if isinstance(value, _torch.Tensor):
                self._tracer.name(value, name, replace=False)

    def _trace_after_update(self, loss):
        if self._tracer is None:
            return
        tracer = self._tracer
        if isinstance(loss, _torch.Tensor):
            tracer.mark("loss", [("loss", loss)], _l.FORWARD)
        elif self._number("loss", loss) is not None:
            tracer.mark_hash("loss", "loss", float(loss))
        self._name_state()
        for name, p in _state.named_weights(self._model):
            tracer.mark(f"weights after: {name}", [("weights", p)], _l.STEP)
        for name, x in _state.named_optimizer_state(self._optimizers, self._parameter_names):
            if isinstance(x, _torch.Tensor):
                tracer.mark(f"optimizer after: {name}", [("state", x)], _l.STEP)
        for name, x in self._state_items():
            if isinstance(x, _torch.Tensor):
                tracer.mark(f"state after: {name}", [("state", x)], _l.STEP)
        self._guard(self._end_trace, True)

    def _end_trace(self, whole):
        tracer, self._tracer = self._tracer, None
        if tracer is None:
            return
        tracer.stop()
        self._modules.on_output = None
        for handle in self._gradient_handles:
            handle.remove()
        self._gradient_handles = []
        if not whole:
            return
        for kind, row, entry in tracer.findings():
            self._tell_row(tracer, kind, row, entry)
        tracer.write(self._trace_file(), self._trace_at, _program(), self._settings or _state.settings_text(self._optimizers))

    def _trace_file(self):
        if self._trace_path is not None:
            path, rank = self._trace_path, _rank()
            return path if rank is None else _path_with(path, f"r{rank}")
        base = self._path if self._path is not None else "samebits.h5"
        return _path_with(base, f"u{self._trace_at}.trace")

    def _tell_row(self, tracer, kind, row, entry):
        place = f"{row.operation}, {('forward', 'backward', 'optimizer')[row.phase]}, {row.site}"
        if kind == "uninitialised":
            tensor = entry.name or entry.store.name(entry.offset) or entry.role
            sentence = f"{place}: reads {tensor} {entry.dtype} {entry.shape}, memory that no operation had written"
        elif kind == "changed outside":
            tensor = entry.name or entry.store.name(entry.offset) or entry.role
            sentence = f"{place}: {tensor} {entry.dtype} {entry.shape} changed since the forward pass, and no operation wrote it"
        elif kind == "unstable":
            tensor = ""
            sentence = f"{place}: executed {row.executions} more times, and {row.other_results} times with other bits: unstable"
        else:
            tensor = ""
            sentence = f"{place}: errs {row.error:.0f} times as much as rounding explains: more than rounding"
        _say(f"trace: update {self._trace_at}: {kind}: {sentence}")
        self._tell(kind, row.operation, row.site, tensor, row.module, sentence)


def trace(model, optimizer, path, update=1, **options):
    """record() that writes the trace of one update to `path`, and no run file."""
    return record(model, optimizer, None, trace=update, trace_path=path, **options)


def nudge(model, name=None, index=0, ulps=1, seed=0):
    """Move one weight by `ulps` units in its last place; without a name every weight by one unit, up or down at random. How much
    two runs differ that began so is what rounding alone makes."""
    weights = dict(_state.named_weights(model))
    if name is not None and name not in weights:
        raise ValueError(f"nudge: no parameter '{name}'; the network has {', '.join(list(weights)[:8])}, ...")
    with _torch.no_grad():
        if name is None:
            generator = _torch.Generator().manual_seed(seed)
            for p in weights.values():
                up = (_torch.rand(p.shape, generator=generator, device="cpu") < 0.5).to(p.device)
                p.copy_(_torch.where(up, _step(p, 1), _step(p, -1)))
            return
        p = weights[name]
        if not 0 <= index < p.numel():
            raise ValueError(f"nudge: '{name}' has {p.numel()} numbers, and index {index} is not among them")
        flat = p.detach().reshape(-1)[index].clone()
        for _ in range(abs(ulps)):
            flat = _step(flat, 1 if ulps > 0 else -1)
        position = []
        for size in reversed(p.shape):
            position.insert(0, index % size)
            index //= size
        p[tuple(position)] = flat


def _step(x, direction):
    """The next number above or below, of any floating type."""
    if x.dtype in (_torch.float32, _torch.float64, _torch.bfloat16):
        return _torch.nextafter(x, _torch.full_like(x, direction * float("inf")))
    return (x.view(_torch.int16) + _torch.where(x < 0, -direction, direction).to(_torch.int16)).view(x.dtype)
