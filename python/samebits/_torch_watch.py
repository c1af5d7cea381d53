"""watch: tensors that the forward pass saved and whose numbers changed before the backward pass read them, without autograd's
knowledge."""
import contextlib
import weakref

import torch
from torch.autograd import graph

from ._say import say, size_text
from ._site import site
from ._torch_hash import hash_tensor, is_captured, plain_parts, shape_of
from ._torch_memory import KNOWS_SHARED, is_shared
from ._torch_modes import not_compiled, without_modes
from ._torch_modules import Modules, backward_node

_SEQUENCE_NUMBER = getattr(torch._C._autograd, "_get_sequence_nr", lambda: None)  # of the next operation that autograd records
_UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def bytes_of(size):
    """1048576 or "1MiB" as a number of bytes."""
    if isinstance(size, int):
        return size
    for unit in ("KiB", "MiB", "GiB", ""):
        if str(size).endswith(unit):
            number = str(size)[:len(str(size)) - len(unit)].strip()
            if number.isdigit():
                return int(number) * _UNITS[unit]
    raise ValueError(f"keep: a number of bytes or a text such as '1MiB' is needed, not {size!r}")


class ChangedTensorError(RuntimeError):
    """Raised with on_change="raise"."""


class Change:
    """One finding: a saved tensor that changed before it was read."""

    kind = "changed while saved"

    def __init__(self, saved, node, differing, moved, sharing):
        self.tensor, self.shape, self.dtype = saved.name, shape_of(saved.tensor), str(saved.tensor.dtype).replace("torch.", "")
        self.site, self.module, self.operation = saved.site, saved.module, node
        self.differing, self.version_moved, self.shared, self.between = differing, moved, saved.shared, saved.between
        self.sharing = sharing
        self.position = saved.position  # among the tensors that the operation saved

    def __str__(self):
        name = f"{self.tensor}, " if self.tensor else ""
        text = f"{name}{self.dtype} {size_text(self.shape)}, saved at {self.site or 'a line of the framework'}"
        text += f" (module {self.module})" if self.module else ""
        text += f", changed before {self.operation or 'the backward pass'} read it"
        if self.differing is not None:
            total = 1
            for n in self.shape:
                total *= n
            text += f"; {self.differing} of {total} numbers differ"
        text += "; PyTorch's version counter moved" if self.version_moved else "; PyTorch's version counter did not move"
        if self.shared:
            text += "; its memory is shared with NumPy or DLPack"
        if self.between:
            once = self.between[0] == self.between[1]
            text += f"; it changed between two executions of {self.between[0]}" if once else \
                f"; it changed between {self.between[0]} and {self.between[1]}"
        if self.sharing:
            text += "; the same memory: " + ", ".join(self.sharing)
        return text


class _Saved:
    __slots__ = ("tensor", "version", "hash", "site", "module", "name", "shared", "copy", "between", "seen_at", "needs_gradient",
                 "position", "__weakref__")


def _reader():
    """The name of the backward node that runs."""
    node = backward_node()
    return node.name() if node is not None else ""


def _version_error(saved, node):
    """What PyTorch raises itself where no hooks are: under hooks it does not look at its version counters."""
    kind = saved.tensor.type() if saved.tensor.layout is torch.strided else str(saved.tensor.dtype)
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{kind} {size_text(shape_of(saved.tensor))}], saved at {saved.site} and read by {node}, is at version "
        f"{saved.tensor._version}; expected version {saved.version} instead. Hint: enable anomaly detection to find the "
        "operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).")


class Watch:
    """with Watch(model) as found: ...; found.changes is the list of findings."""

    def __init__(self, model=None, on_change="warn", only=None, keep="1MiB", modules=None, on_found=None, name_of=None,
                 update_of=None):
        if on_change not in ("warn", "raise", "report"):
            raise ValueError(f"on_change: 'warn', 'raise' or 'report' is needed, not {on_change!r}")
        if only not in (None, "shared"):
            raise ValueError(f"only: None or 'shared' is needed, not {only!r}")
        if only and not KNOWS_SHARED:
            raise ValueError(f"only: PyTorch {torch.__version__} does not say which memory is shared; a newer one is needed, or None")
        self.changes = []
        self.saved = 0  # tensors
        self._on_change, self._only, self._keep = on_change, only, bytes_of(keep)
        self._on_found, self._name_of = on_found or (lambda change: None), name_of or self._parameter_name
        self._roots = model if isinstance(model, dict) else {"": model} if model is not None else {}
        self._modules, self._own_modules = modules, modules is None
        self._running, self._parameters, self._names = set(), set(), {}
        self._update_of = update_of or (lambda: None)  # the number of the update that runs
        self._told, self._is_captured_said = {}, False  # of each place: update of the first finding, number of the others
        self._last_position = (None, 0)  # of the tensor that was saved last: number of its operation, position
        self._at = {}  # shared memory: address -> weak references of what was saved of it

    def __enter__(self):
        if self._own_modules:
            self._modules = Modules(self._roots)
            self._modules.__enter__()
        self._learn_names()
        self._pack, self._unpack = not_compiled(self._pack), not_compiled(self._unpack)
        self._hooks = graph.saved_tensors_hooks(self._pack, self._unpack)
        self._hooks.__enter__()
        self._disable, graph.disable_saved_tensors_hooks = graph.disable_saved_tensors_hooks, self._give_way
        return self

    def __exit__(self, *error):
        graph.disable_saved_tensors_hooks = self._disable
        self._hooks.__exit__(*error)
        self._say_others()
        if self._own_modules:
            self._modules.__exit__()

    def __iter__(self):
        return iter(self.changes)

    def __len__(self):
        return len(self.changes)

    @contextlib.contextmanager
    def _give_way(self, message):
        """torch.func raises where any hooks are: what it saves is not looked at."""
        try:
            torch._C._autograd._pop_saved_tensors_default_hooks()
            is_taken = True
        except RuntimeError:  # another thread, which has none
            is_taken = False
        try:
            with self._disable(message):
                yield
        finally:
            if is_taken:
                torch._C._autograd._push_saved_tensors_default_hooks(self._pack, self._unpack)

    # -- names --

    def _learn_names(self):
        for prefix, root in self._roots.items():
            dot = prefix + "." if prefix else ""
            for name, parameter in root.named_parameters():
                self._parameters.add(parameter.data_ptr())
                self._names[parameter.data_ptr()] = dot + name

    def _parameter_name(self, tensor):
        return self._names.get(tensor.data_ptr(), "")

    def _is_running_value(self, saved, node):
        """Batch norm saves its running mean and variance and changes them itself; with batch statistics its backward pass
        does not use them."""
        if "atchNorm" not in node or saved.needs_gradient or saved.tensor.dim() != 1:
            return False
        return saved.tensor.data_ptr() not in self._parameters

    # -- the hooks --

    def _pack(self, tensor):
        with without_modes():
            if is_captured():
                self._say_captured()
                return tensor
            return self._save(tensor) if plain_parts(tensor) else tensor

    def _say_captured(self):
        if not self._is_captured_said:
            self._is_captured_said = True
            say("watch: a CUDA graph is captured, and what it saves is not looked at")

    def _save(self, tensor):
        saved = _Saved()
        saved.shared = is_shared(tensor)
        saved.tensor, saved.version, saved.needs_gradient = tensor.detach(), tensor._version, tensor.requires_grad
        saved.site, saved.module, saved.name = site(), self._modules.current(), self._name_of(tensor)
        saved.hash = None if self._only == "shared" and not saved.shared else hash_tensor(tensor)
        saved.copy = saved.between = None
        saved.seen_at, saved.position = saved.site, self._position()
        if saved.shared and saved.hash:
            if tensor.numel() * tensor.element_size() <= self._keep:
                saved.copy = saved.tensor.clone()
            self._look_again(saved)
        self.saved += 1
        return saved

    def _position(self):
        """The position of a tensor among those that an operation saves: all have the same sequence number."""
        number = _SEQUENCE_NUMBER()
        last, position = self._last_position
        self._last_position = number, position + 1 if number is not None and number == last else 0
        return self._last_position[1]

    def _others(self, saved):
        """What else was saved of this memory and is alive."""
        alive = [other for other in (reference() for reference in self._at.get(saved.tensor.data_ptr(), ())) if other is not None]
        return [other for other in alive if other is not saved]

    def _look_again(self, saved):
        """Has what was saved before of the same shared memory changed since it was last seen?"""
        others = self._others(saved)
        for other in others:
            if other.between is None and other.hash and hash_tensor(other.tensor) != other.hash:
                other.between = (other.seen_at, saved.site)
            other.seen_at = saved.site
        self._at[saved.tensor.data_ptr()] = [weakref.ref(other) for other in others] + [weakref.ref(saved)]

    def _unpack(self, saved):
        if not isinstance(saved, _Saved):
            return saved
        with without_modes():
            if saved.tensor._version != saved.version:
                raise _version_error(saved, _reader())
            if saved.hash and not is_captured() and hash_tensor(saved.tensor) != saved.hash and \
                    not self._is_running_value(saved, _reader()):
                self._found(saved, _reader())
            return saved.tensor

    def _warn(self, change):
        """The first finding of each place and tensor at once; the others are counted."""
        place = (change.site, change.module, change.operation, change.tensor, change.position)
        if place in self._told:
            self._told[place][1] += 1
        else:
            self._told[place] = [self._update_of(), 0]
            say(f"watch: {change}")

    def _say_others(self):
        for (site_of, module, operation, tensor, _), (update, others) in self._told.items():
            if others:
                where = f"{tensor}, " if tensor else ""
                where += f"saved at {site_of or 'a line of the framework'}" + (f" (module {module})" if module else "")
                first = f", first in update {update}" if update else ""
                say(f"watch: {where}, changed before {operation or 'the backward pass'} read it: and {others} more{first}")

    def _found(self, saved, node):
        differing = None
        if saved.copy is not None:
            width = saved.tensor.element_size()
            bits = (saved.copy.contiguous().view(-1).view(torch.uint8) != saved.tensor.contiguous().view(-1).view(torch.uint8))
            differing = int(bits.view(-1, width).any(1).sum())
        sharing = [other.name or f"saved at {other.site}" for other in self._others(saved)] if saved.shared else []
        change = Change(saved, node, differing, False, list(dict.fromkeys(sharing)))
        saved.hash = hash_tensor(saved.tensor)  # once, however often it is read
        self.changes.append(change)
        self._on_found(change)
        if self._on_change == "warn":
            self._warn(change)
        elif self._on_change == "raise":
            raise ChangedTensorError(str(change))
