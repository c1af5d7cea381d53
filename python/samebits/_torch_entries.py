"""record(): the run file: how it is opened or continued, and the entry of each update."""
import torch as _torch

from . import _library as _l
from . import _torch_state as _state
from . import _torch_values as _values
from ._say import say as _say


def program():
    return f"pytorch {_torch.__version__}"


def _rank():
    """The number of this process among several that train together; None: it is alone."""
    if _torch.distributed.is_available() and _torch.distributed.is_initialized() and _torch.distributed.get_world_size() > 1:
        return _torch.distributed.get_rank()
    return None


def path_with(path, word, ending=".h5"):
    """a.h5 -> a.WORD.h5"""
    stem = path[:-3] if path.endswith(".h5") else path
    return f"{stem}.{word}{ending}"


def path_of_rank(path):
    rank = _rank()
    return path if rank is None else path_with(path, f"r{rank}")


class Entries:
    """A part of record."""

    def _open(self):
        if self._path is None:
            return
        self._path = path_of_rank(self._path)
        recording = _l.Recording(self._path, program(), self._resume, self._every, self._checkpoint_seconds)
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

    def _finish(self, loss, values):
        numbers = {}
        for name, x in {**values, "loss": loss}.items():
            number = self._number(name, x)
            if number is not None:
                numbers[self._column(name)] = number
        self._write(*self._collect(numbers))

    def _column(self, name):
        """The column of a value, the same one in every update. A name such as "train/loss" has characters that a column cannot have."""
        if name in self._columns:
            return self._columns[name]
        letters = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
        whole = (letters if letters[:1].isalnum() else "x" + letters)[:_l.COLUMN_MOST]
        taken = {"update", "seconds", *self._columns.values()}
        column, k = whole, 2
        while column in taken:
            column, k = f"{whole[:_l.COLUMN_MOST - 5]}_{k}", k + 1
        self._columns[name] = column
        if column != name:
            self._say_once(f"column {name}", f"update(): '{name}' is recorded as '{column}'", False)
        return column

    def _number(self, name, value):
        """A column's value; None: it is no number, which is said."""
        try:
            return None if value is None else float(value.detach() if isinstance(value, _torch.Tensor) else value)
        except (TypeError, ValueError, RuntimeError):
            what = f"a tensor of shape {list(value.shape)}" if isinstance(value, _torch.Tensor) else repr(value)[:80]
            self._say_once(f"value {name}", f"update(): {name} must be one number, and {what} is not recorded")
        return None

    def _items(self, part, weights):
        """(name, hash) of the tensors of a part as they are now. weights: of the network, with their names."""
        if part == _l.WEIGHTS:
            return _values.hashed(weights)
        if part == _l.STATE:
            return _values.hashed(self._state_items())
        if part == _l.OPTIMIZER:
            return _values.hashed(_state.named_optimizer_state(self._optimizers, weights))
        return _state.generators()

    def _state_items(self):
        unknown = []
        items = _state.named_state(self._model, self._also, unknown)
        for name, kind in unknown:
            self._say_once(f"also {name}", f"also: '{name}' is now of type {kind}, and is not recorded")
        return items

    def _is_due(self):
        """Is an entry written for the update that runs? A second step of the first update may be counted as another update until
        update() is called."""
        if self._recording is None:
            return False
        update = self._done + 1
        return update % self._every == 0 or (self._pending is not None and update == self._first + 2 and (update - 1) % self._every == 0)

    def _collect(self, numbers):
        """What the entry of the update that ends here holds; None where nothing is recorded."""
        update = self._done + 1
        batch, gradient, settings = self._batch, self._gradient, self._settings
        self._batch, self._gradient, self._settings = [], None, None
        if self._recording is None or update % self._every:
            return update, None, None, None, None, {}
        weights = _state.named_weights(self._model)
        parts = {part: self._items(part, weights) for part in (_l.WEIGHTS, _l.OPTIMIZER, _l.STATE, _l.GENERATOR)}
        return update, batch, gradient, parts, settings, numbers

    def _write(self, update, batch, gradient, parts, settings, values):
        recording = self._recording
        if recording is None or parts is None:
            return
        if settings is not None and settings != self._last_settings:
            self._last_settings = settings
            recording.settings_at(update, settings)
        recording.begin(update)
        self._put_batch(recording, batch or [])
        if gradient:
            self._put(recording, _l.GRADIENT, gradient)
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
        names = _values.numbered(name for name, _ in items)
        self._put_names(recording, part, names)
        for name, (_, value) in zip(names, items):
            recording.hash(part, self._names[part].number(name), value)

    def _fill(self, recording, update, parts):
        recording.begin(update)
        for part in parts:
            self._put(recording, part, self._items(part, _state.named_weights(self._model)))

    def _commit(self):
        pending, self._pending = self._pending, None
        if pending is not None:
            self._write(*pending)
