"""trace: each operation of one update, what it read and wrote, as a file that `samebits bisect` compares."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import _library as library
from . import _torch_ops as ops
from ._site import site
from ._torch_check import Checker
from ._torch_hash import hash_bytes, hash_tensor, is_nested, numbers, plain_parts, sketch
from ._torch_memory import Memory, is_shared, key_of, numbers_of
from ._torch_modes import not_compiled, without_modes
from ._torch_modules import backward_node, in_backward


class _Entry:
    """One tensor of a row. Its name may be found later, when the optimizer's state has one."""
    __slots__ = ("role", "store", "offset", "name", "dtype", "shape", "layout", "device", "flags", "writer", "hash", "sketch", "kept")

    def __init__(self):
        self.sketch = self.kept = None

    def kept_place(self):
        """Address and number of the kept numbers; None: none were kept."""
        return None if self.kept is None else (self.kept.data_ptr(), self.kept.numel())


class _Row:
    __slots__ = ("operation", "module", "site", "arguments", "node", "phase", "forward_row", "mark", "error", "executions",
                 "other_results", "entries")

    def __init__(self, operation, mark=False):
        self.operation, self.mark = operation, mark
        self.module = self.site = self.arguments = self.node = ""
        self.phase, self.forward_row, self.error, self.executions, self.other_results = library.FORWARD, -1, -1.0, 0, 0
        self.entries = []


def _has_row(tensor):
    return bool(plain_parts(tensor)) and not is_nested(tensor)


class _Mode(TorchDispatchMode):
    def __init__(self, tracer):
        super().__init__()
        self.tracer = tracer

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return self.tracer.call(function, args, kwargs or {})


class Tracer:
    """checks: "double" (computed again in double: more than rounding?) and "twice" (executed again: the same bits?). sketch: of the
    tensors of marks, from which distances of runs are estimated. kept: rows, from 1, whose numbers are written too."""

    def __init__(self, modules, checks=(), sketch=False, kept=()):
        self._wants_sketch, self._sketches, self._kept = sketch, {}, frozenset(kept)  # sketches by hash
        self.rows, self.memory = [], Memory()
        self.in_step = self._is_after_backward = False
        self._is_on = False
        self._modules, self._mode = modules, _Mode(self)
        self._by_sequence = {}
        self._checker = Checker(checks)

    def start(self):
        self._is_on = True
        self.call, self.mark = not_compiled(self.call), not_compiled(self.mark)
        self._mode.__enter__()

    def stop(self):
        if self._is_on:
            self._is_on = False
            self._mode.__exit__(None, None, None)

    # -- rows --

    def _phase(self):
        if self.in_step:
            return library.STEP
        if in_backward():
            self._is_after_backward = True
            return library.BACKWARD
        return library.FORWARD

    def _phase_with(self, inputs):
        """After the backward pass, what no module executes and what needs no gradient prepares the step, such as clipping."""
        phase = self._phase()
        if phase != library.FORWARD or not self._is_after_backward:
            return phase
        if self._modules.is_running() or (torch.is_grad_enabled() and any(tensor.requires_grad for _, tensor in inputs)):
            self._is_after_backward = False
            return library.FORWARD
        return library.STEP

    def _place(self, row, inputs):
        """Module and line; in the backward pass those of the forward operation with the same sequence number."""
        row.phase = self._phase_with(inputs)
        row.module, row.site = self._modules.current(), ""
        node = backward_node() if row.phase == library.BACKWARD else None
        if node is not None:
            row.node = node.name()
            sequence = node._sequence_nr() if hasattr(node, "_sequence_nr") else None
            forward = self._by_sequence.get(sequence)
            if forward is not None and not row.module:
                row.forward_row = forward
                row.module, row.site = self.rows[forward].module, self.rows[forward].site
        if not row.site:
            row.site = site()

    def _remember_sequence(self):
        number = getattr(torch._C._autograd, "_get_sequence_nr", None)
        if number and torch.is_grad_enabled():
            self._by_sequence.setdefault(number() - 1, len(self.rows))

    def _entry(self, role, tensor, written):
        entry = _Entry()
        store = self.memory.of(tensor)
        entry.role, entry.store, entry.offset = role, store, self.memory.offset(tensor)
        entry.name = store.name(entry.offset)
        entry.dtype, entry.shape = ops.dtype_text(tensor.dtype), str(list(tensor.shape))
        entry.layout, entry.device = ops.layout_of(tensor), "cpu" if tensor.is_cpu else str(tensor.device)
        entry.flags, entry.writer = (library.WRITTEN if written else 0), store.writer
        if len(self.rows) + 1 in self._kept:
            entry.kept = numbers(tensor)
        return entry

    def _read(self, row, role, tensor, just_written=False):
        entry = self._entry(role, tensor, False)
        store, key = entry.store, self._key(tensor)
        entry.hash = (store.seen.get(key) if just_written else None) or hash_tensor(tensor)
        if store.seen.get(key, entry.hash) != entry.hash or self._changed_elsewhere(store, key, tensor):
            entry.flags |= library.CHANGED
            store.seen.clear()
        elif store.fresh is not None and self._is_own(tensor) and numbers_of(tensor) > store.fresh:
            entry.flags |= library.UNINITIALISED
        store.seen[key] = entry.hash
        row.entries.append(entry)

    @staticmethod
    def _changed_elsewhere(store, key, tensor):
        """A view that was not seen yet, such as a transposed one: does one that was seen still have its numbers?"""
        if key is None or key in store.seen or not store.seen:
            return False
        (offset, shape, stride, dtype, *flipped), value = next(iter(store.seen.items()))
        if dtype != tensor.dtype or any(flipped) or tensor.is_conj() or tensor.is_neg():
            return False
        return hash_tensor(tensor.detach().as_strided(shape, stride, offset)) != value

    @staticmethod
    def _key(tensor):
        return key_of(tensor) if tensor.layout is torch.strided else None

    @staticmethod
    def _is_own(tensor):
        """Memory that NumPy can write too is not known to be without numbers, nor are lists of sizes that the framework itself
        fills."""
        return tensor.layout is torch.strided and tensor.is_floating_point() and is_shared(tensor) is False

    def _written(self, row, role, tensor, number):
        entry = self._entry(role, tensor, True)
        store = entry.store
        store.writer = number
        if store.fresh is not None:
            whole = tensor.untyped_storage().nbytes() // tensor.element_size() if tensor.layout is torch.strided else 0
            store.fresh += numbers_of(tensor)
            store.fresh = None if store.fresh >= whole else store.fresh
        store.seen.clear()
        entry.writer = number
        entry.hash = hash_tensor(tensor)
        store.seen[self._key(tensor)] = entry.hash
        row.entries.append(entry)

    def _generator(self, row, source, written, number=-1):
        """source: the device whose global generator is drawn from, or a generator of the program's own."""
        is_own = isinstance(source, torch.Generator)
        store = self.memory.generator_of(source) if is_own else self.memory.generator
        key = str(source.device if is_own else source)
        entry = _Entry()
        entry.role, entry.store, entry.offset, entry.name = "generator", store, 0, store.name(0)
        entry.dtype, entry.shape, entry.layout, entry.device = "uint8", "", "", key
        entry.hash = hash_bytes(source.get_state().numpy().tobytes() if is_own else generator_state(source))
        entry.flags = library.WRITTEN if written else 0
        if not written and store.seen.get(key, entry.hash) != entry.hash:
            entry.flags |= library.CHANGED
        if written:
            store.writer = number
        entry.writer = store.writer
        store.seen[key] = entry.hash
        row.entries.append(entry)

    # -- operations --

    def call(self, function, args, kwargs):
        name = ops.name_of(function)
        if not hasattr(function, "_schema") or name in ops.NO_ROW or ops.namespace_of(function) == "prim":
            return function(*args, **kwargs)
        pairs = list(ops.bound(function, args, kwargs))
        inputs = [item for argument, value in pairs for item in ops.tensors_of(argument.name, value)]
        if any(plain_parts(tensor) is None or is_nested(tensor) for _, tensor in inputs):
            return function(*args, **kwargs)  # of a compiler, without numbers; or without a shape
        if name in ops.ALLOCATES:
            return self._allocate(function, args, kwargs)
        if ops.is_view(function):
            return function(*args, **kwargs)
        return self._compute(function, name, pairs, inputs, args, kwargs)

    def _allocate(self, function, args, kwargs):
        result = function(*args, **kwargs)
        if _has_row(result):
            store = self.memory.of(result)
            store.fresh, store.writer = 0, -1
            store.seen.clear()
        return result

    def _compute(self, function, name, pairs, inputs, args, kwargs):
        row = _Row(name)
        self._place(row, inputs)
        row.arguments = ops.argument_text(pairs)
        overwritten = self._written_arguments(function, name, pairs)
        written = {id(tensor) for _, tensor in overwritten}
        for argument, value in pairs:
            for role, tensor in ops.tensors_of(argument.name, value):
                is_result = argument.kwarg_only and argument.alias_info is not None and argument.alias_info.is_write
                is_filled = name in ops.OVERWRITES or ops.is_filled(function, argument)
                if not (is_result or (id(tensor) in written and is_filled)):
                    self._read(row, role, tensor)
        source = self._random_source(function, pairs)
        if source is not None:
            self._generator(row, source, False)
        before = self._checker.before(function, name, args, kwargs)
        result = function(*args, **kwargs)
        self._after(row, overwritten, written, result, source, ops.is_exchange(function))
        if before is not None:
            self._check(row, before, result)
        return result

    @staticmethod
    def _written_arguments(function, name, pairs):
        """(role, tensor) of the arguments that the operation writes."""
        is_training = any(argument.name == ops.RUNNING.get(name) and value for argument, value in pairs)
        items = []
        for argument, value in pairs:
            is_running = is_training and argument.name in ("running_mean", "running_var")
            if is_running or ops.is_filled(function, argument) or (argument.alias_info is not None and argument.alias_info.is_write):
                items += ops.tensors_of(argument.name, value)
        return items

    @staticmethod
    def _random_source(function, pairs):
        """The device whose generator the operation draws from, or the generator it was given; None: it draws nothing."""
        if not ops.is_random(function):
            return None
        values = {argument.name: value for argument, value in pairs}
        if isinstance(values.get("generator"), torch.Generator):
            return values["generator"]
        if values.get("train") is False or values.get("training") is False or values.get("dropout_p") == 0:
            return None
        for value in values.values():
            for _, tensor in ops.tensors_of("", value):
                return tensor.device
        return torch.device(values.get("device") or "cpu")

    def _after(self, row, overwritten, written, result, source, is_exchange=False):
        number = len(self.rows)
        is_copy = row.operation in ops.COPIES and self._is_copy_of_nothing(row)
        for role, tensor in overwritten:
            self._written(row, role, tensor, number)
        results = result if isinstance(result, (list, tuple)) else (result,)
        for index, value in enumerate(results):
            role = "result" if len(results) == 1 else f"result {index}"
            for label, tensor in ops.tensors_of(role, value):
                if id(tensor) not in written and _has_row(tensor):
                    self._written(row, label, tensor, number)
        if is_exchange:
            self._leave_open(row)
        if is_copy and row.entries[-1].flags & library.WRITTEN:
            row.entries[-1].store.fresh = 0
        if source is not None:
            self._generator(row, source, True, number)
        if row.phase == library.FORWARD:
            self._remember_sequence()
        self.rows.append(row)

    @staticmethod
    def _leave_open(row):
        """Of memory that is written while the program goes on there is no hash; who reads it next sees it."""
        for entry in row.entries:
            entry.store.seen.clear()
            if entry.flags & library.WRITTEN:
                entry.flags |= library.NO_HASH
                entry.hash = library.NO_TENSOR

    @staticmethod
    def _is_copy_of_nothing(row):
        """A copy of memory without numbers is no finding yet: its result is such memory."""
        found = [entry for entry in row.entries if entry.flags & library.UNINITIALISED]
        for entry in found:
            entry.flags &= ~library.UNINITIALISED
        return bool(found)

    def _check(self, row, before, result):
        row.error, row.executions, row.other_results = self._checker.after(before, result)

    # -- marks: points that every backend has --

    def mark(self, name, items, phase=None, just_written=False):
        """items: (role, tensor). just_written: the hash that was taken then is theirs."""
        with without_modes():
            row = _Row(name, mark=True)
            row.phase = self._phase() if phase is None else phase
            row.site, row.module = "", ""
            for role, tensor in items:
                if _has_row(tensor):
                    self._read(row, role, tensor, just_written)
                    if self._wants_sketch:
                        row.entries[-1].sketch = self._sketch_of(row.entries[-1].hash, tensor)
            if row.entries:
                self.rows.append(row)

    def _sketch_of(self, value, tensor):
        if value not in self._sketches:
            self._sketches[value] = sketch(tensor)
        return self._sketches[value]

    def mark_hash(self, name, role, value):
        """Of something that is no tensor, such as a loss that is a number."""
        row = _Row(name, mark=True)
        entry = _Entry()
        entry.role, entry.store, entry.offset, entry.name = role, None, 0, name
        entry.dtype, entry.shape, entry.layout, entry.device = "float64", "[]", "", ""
        entry.flags, entry.writer, entry.hash = 0, -1, hash_bytes(repr(value).encode())
        row.entries.append(entry)
        self.rows.append(row)

    def name(self, tensor, name, replace=True):
        if _has_row(tensor):
            self.memory.give_name(tensor, name, replace)

    # -- the file --

    @staticmethod
    def _is_changed(row, entry):
        """Before the forward pass a program may fill memory that it shares; what the backward pass reads must not change."""
        return entry.flags & library.CHANGED and row.phase == library.BACKWARD and not row.mark and entry.role != "generator"

    def findings(self):
        """(kind, row, entry): what needs no second run."""
        told, changed = set(), set()
        for row in self.rows:
            for entry in row.entries:
                if entry.flags & library.UNINITIALISED and id(entry.store) not in told:
                    told.add(id(entry.store))
                    yield "uninitialised", row, entry
                if self._is_changed(row, entry) and id(entry.store) not in changed:
                    changed.add(id(entry.store))
                    yield "changed outside", row, entry
            if row.other_results:
                yield "unstable", row, None
            if row.error > Checker.MOST:
                yield "more than rounding", row, None

    def write(self, path, update, program, settings):
        out = library.Tracing(path, update, program)
        try:
            out.settings(settings)
            for row in self.rows:
                tensors = [(e.role, e.name or (e.store.name(e.offset) if e.store else ""), e.dtype, e.shape, e.layout, e.device,
                            e.flags, e.writer, e.hash, e.sketch, e.kept_place()) for e in row.entries]
                out.row(row.operation, row.module, row.site, row.arguments, row.node, row.phase, row.forward_row, row.mark,
                        row.error, row.executions, row.other_results, tensors)
        except Exception:
            out.close(False)
            raise
        out.close(True)


def generator_state(device):
    """The state of the global generator of a device, as bytes."""
    if device.type == "cpu":
        state = torch.random.get_rng_state()
    else:
        state = getattr(torch, device.type).get_rng_state(device)
    return state.numpy().tobytes()
