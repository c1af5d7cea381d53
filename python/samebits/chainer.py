"""Watch and record a training with Chainer, the study's own library (versions 3 to 7).

    import samebits.chainer as sb
    with sb.watch() as found:                       # inputs that the backward pass reads and that changed since the forward pass
        loss = model(x, y); loss.backward()
    with sb.record(model, optimizer, "a.h5") as run:
        ...
        optimizer.update()
        run.update(loss)"""
import chainer as _chainer
import numpy as _numpy

from . import _library as _l
from . import _site
from ._say import say as _say
from ._say import size_text
from .array import Recording as _Recording
from .array import hash_array

_site.leave_out(_chainer)


class Change:
    """One finding: an input that was retained for the backward pass and changed before the backward pass read it."""

    kind = "changed while saved"

    def __init__(self, function, index, saved, data, differing):
        self.operation, self.index, self.tensor = function, index, f"input {index}"
        self.shape, self.dtype, self.site = tuple(data.shape), str(data.dtype), saved[1]
        self.address, self.differing = data.__array_interface__["data"][0], differing

    def __str__(self):
        text = f"{self.tensor} of {self.operation}, {self.dtype} {size_text(self.shape)} at address {self.address:#x}, given at {self.site}"
        return f"{text}, changed before the backward pass read it" + (
            f"; {self.differing} of {int(_numpy.prod(self.shape))} numbers differ" if self.differing is not None else "")


class watch(_chainer.FunctionHook):
    """A context manager; found.changes is the list of findings, found.retained the number of inputs that were looked at."""

    name = "samebits"

    def __init__(self, on_change="warn", keep=1 << 20, on_found=None):
        if on_change not in ("warn", "raise", "report"):
            raise ValueError(f"on_change: 'warn', 'raise' or 'report' is needed, not {on_change!r}")
        self.changes, self.retained = [], 0
        self._on_change, self._keep, self._on_found = on_change, keep, on_found or (lambda change: None)
        self._saved = {}  # id of the function -> [function, {index: (hash, site, copy)}]
        self._module_sites = {}

    def __iter__(self):
        return iter(self.changes)

    def __len__(self):
        return len(self.changes)

    @staticmethod
    def _retained(function):
        """Indices of the inputs that the backward pass reads."""
        indices = getattr(function, "_input_indexes_to_retain", None)
        if indices is None:
            node = getattr(function, "node", function)
            indices = getattr(node, "_input_indexes_to_retain", None)
        return indices

    def forward_postprocess(self, function, in_data):
        node = getattr(function, "node", function)
        if not _chainer.config.enable_backprop:
            return
        wanted = self._retained(function)
        site = _site.site()
        kept = {}
        for index, data in enumerate(in_data):
            if not isinstance(data, _numpy.ndarray) or (wanted is not None and index not in wanted):
                continue
            copy = data.copy() if data.nbytes <= self._keep else None
            kept[index] = (hash_array(data), site, copy)
        if kept:
            self._saved[id(node)] = (node, kept)

    def backward_preprocess(self, function, in_data, out_grad):
        node = getattr(function, "node", function)
        _, kept = self._saved.pop(id(node), (None, {}))
        for index, saved in kept.items():
            data = in_data[index] if index < len(in_data) else None
            if not isinstance(data, _numpy.ndarray):
                continue
            self.retained += 1
            if hash_array(data) != saved[0]:
                self._found(function, index, saved, data)

    def _found(self, function, index, saved, data):
        differing = None
        if saved[2] is not None and saved[2].shape == data.shape:
            bits = lambda x: _numpy.ascontiguousarray(x).reshape(-1).view(_numpy.uint8).reshape(-1, x.itemsize)  # noqa: E731
            differing = int((bits(saved[2]) != bits(data)).any(1).sum())
        label = type(function).__name__
        change = Change(label, index, saved, data, differing)
        self.changes.append(change)
        self._on_found(change)
        if self._on_change == "warn":
            _say(f"watch: {change}")
        elif self._on_change == "raise":
            raise RuntimeError(str(change))


def _weights(link):
    return {name: p.data for name, p in link.namedparams() if p.data is not None}


def _state(link):
    found = {}
    for path, child in link.namedlinks():
        for name in getattr(child, "_persistent", ()):
            value = getattr(child, name, None)
            if isinstance(value, _numpy.ndarray):
                found[f"{path.rstrip('/')}/{name}"] = value
    return found


def _moments(link):
    found = {}
    for name, p in link.namedparams():
        rule = p.update_rule
        for key, value in ((rule.state or {}) if rule is not None else {}).items():
            if isinstance(value, _numpy.ndarray):
                found[f"{key} of {name}"] = value
    return found


class record:
    """Records weights, gradients, the optimizer's and the network's state after each update(); watch=True watches too."""

    def __init__(self, model, optimizer, path, *, resume=False, every=1, config=None, watch=False, strict=False):
        self._model, self._optimizer = model, optimizer
        settings = {"optimizer": type(optimizer).__name__, **(config or {})}
        self._run = _Recording(path, f"chainer {_chainer.__version__}", resume, every, settings, strict)
        self._watch = globals()["watch"](on_found=self._changed) if watch else None
        self._done = 0

    def __enter__(self):
        hyper = self._optimizer.hyperparam.get_dict() if hasattr(self._optimizer, "hyperparam") else {}
        for name, value in hyper.items():
            self._run._recording.setting(f"hyper_{name}", value)
        self._run.start(_weights(self._model), _state(self._model), _moments(self._model))
        if self._watch is not None:
            self._watch.__enter__()
        return self

    def __exit__(self, kind, error, traceback):
        if self._watch is not None:
            self._watch.__exit__(kind, error, traceback)
        self._run.close(kind is None)

    @property
    def changes(self):
        return self._watch.changes if self._watch is not None else []

    def _changed(self, change):
        self._run._guard(self._run._recording.report, self._done + 1, change.kind, change.operation, change.site, change.tensor, "",
                         str(change))

    def batch(self, **arrays):
        self._run.batch(**arrays)

    def update(self, loss=None, **values):
        """At the end of an update, after optimizer.update()."""
        self._run._take(_l.GRADIENT, {name: p.grad for name, p in self._model.namedparams() if p.grad is not None})
        self._run._take(_l.WEIGHTS, _weights(self._model))
        state, moments = _state(self._model), _moments(self._model)
        if state:
            self._run._take(_l.STATE, state)
        if moments:
            self._run._take(_l.OPTIMIZER, moments)
        number = None if loss is None else float(getattr(loss, "data", loss))
        self._run.update(number, **values)
        self._done += 1
