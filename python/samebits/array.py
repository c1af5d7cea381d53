"""Record a training whose arrays are NumPy's, JAX's or anything's with __array_interface__ or DLPack, by explicit calls.

    from samebits.array import Recording
    with Recording("a.h5", program="my trainer") as run:
        run.start(weights={"w": w, "b": b})
        for x, y in batches:
            ...
            run.batch(x=x, y=y)
            run.gradient(w=dw, b=db)
            run.weights(w=w, b=b)
            run.update(loss)

JAX arrays do not change, but jnp.asarray of a NumPy array may share its memory on a CPU: `batch` hashes what it is given at
once, and `unchanged` says whether an array still has the numbers that it had then."""
import os

from . import _library as library
from ._library import lib
from ._say import say


def _interface(array):
    """address, dtype, shape, strides in elements of an array, and what keeps its memory."""
    described = getattr(array, "__array_interface__", None)
    if described is None:
        import numpy
        if hasattr(array, "__dlpack__"):
            try:
                array = numpy.from_dlpack(array)
            except (BufferError, RuntimeError, TypeError):  # on a device, or of a type that NumPy lacks
                array = numpy.asarray(array)
        else:
            array = numpy.asarray(array)
        described = array.__array_interface__
    kind, width = described["typestr"][1], int(described["typestr"][2:] or 0)
    if described["typestr"][0] == ">" and width > 1:
        import numpy
        array = numpy.asarray(array)
        return _interface(array.astype(array.dtype.newbyteorder("<")))
    name = {"f": f"float{8 * width}", "i": f"int{8 * width}", "u": f"uint{8 * width}", "b": "bool", "c": f"complex{8 * width}",
            "V": "bfloat16" if width == 2 else ""}.get(kind, "")
    if name not in library.DTYPE_NUMBER:
        raise TypeError(f"an array of type {described['typestr']} has no plain numbers")
    strides = described.get("strides")
    if strides is not None and any(step % width for step in strides):
        import numpy
        return _interface(numpy.array(array))
    steps = None if strides is None else [step // width for step in strides]
    return described["data"][0], library.DTYPE_NUMBER[name], described["shape"], steps, array


def _view(array):
    address, dtype, shape, strides, owner = _interface(array)
    result = library.view(address, dtype, shape, strides)
    result.owner = owner
    return result


def hash_array(array):
    """16 bytes: equal for the same numbers, whatever the strides."""
    return library.hash_view(_view(array))


def _forms(described):
    return library.as_bytes(lib.sb_view_canonical(described)), library.as_bytes(lib.sb_view_samples(described))


def array_forms(array):
    """The canonical hash and the hash of the sorted samples of a batch's array."""
    return _forms(_view(array))


class Recording:
    """every: an entry for every Nth update. strict: raise where recording fails; else it is said once."""

    def __init__(self, path, program="python", resume=False, every=1, config=None, strict=False):
        self._recording = library.Recording(path, program, resume, every)
        self._every, self._strict, self._pid = every, strict, os.getpid()
        self._names = [[] for _ in library.PARTS]
        self._parts, self._done, self._seen = {}, max(self._recording.last(), 0), {}
        self._begun = self._recording.last() >= 0
        for name, value in (config or {}).items():
            self._recording.setting(name, value)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.close(kind is None)

    def close(self, complete=True):
        recording, self._recording = self._recording, None
        if recording is not None:
            recording.close(complete)

    def _take(self, part, arrays):
        hashes = self._parts.setdefault(part, {})
        for name, array in arrays.items():
            described = _view(array)
            value = library.hash_view(described)
            forms = None
            if part == library.BATCH:
                forms = _forms(described)
                self._seen[name] = (array, value)
            hashes[name] = (value, forms)

    def start(self, weights=None, state=None, optimizer=None):
        """What the run starts from, before the first update."""
        if self._begun:
            raise ValueError("start() comes once, before the first update")
        for part, arrays in ((library.WEIGHTS, weights), (library.STATE, state), (library.OPTIMIZER, optimizer)):
            if arrays:
                self._take(part, arrays)
        self._guard(self._write, 0, None, {})

    def batch(self, **arrays):
        self._take(library.BATCH, arrays)

    def gradient(self, **arrays):
        self._take(library.GRADIENT, arrays)

    def weights(self, **arrays):
        self._take(library.WEIGHTS, arrays)

    def optimizer(self, **arrays):
        self._take(library.OPTIMIZER, arrays)

    def state(self, **arrays):
        self._take(library.STATE, arrays)

    def unchanged(self, *names):
        """Do the arrays of the batch (all of them without names) still have the numbers that they had when they were given? One
        that changed is a finding."""
        same = True
        for name in names or list(self._seen):
            array, value = self._seen[name]
            if hash_array(array) != value:
                same = False
                sentence = f"{name} of the batch changed after it was given to batch()"
                say(sentence)
                self._guard(self._recording.report, self._done + 1, "changed while saved", "", "", name, "", sentence)
        return same

    def update(self, loss=None, **values):
        """The end of an update: writes its entry."""
        self._done += 1
        if self._done % self._every == 0:
            self._guard(self._write, self._done, loss, values)
        self._parts, self._seen = {}, {}

    def _guard(self, function, *arguments):
        if self._recording is None or os.getpid() != self._pid:
            return
        try:
            function(*arguments)
        except library.Error as error:
            if self._strict or error.status == library.USAGE:
                raise
            say(f"recording ends, and the training goes on: {error}")
            recording, self._recording = self._recording, None
            try:
                recording.close(False)
            except library.Error:
                pass

    def _write(self, update, loss, values):
        recording, self._begun = self._recording, True
        recording.begin(update)
        for part, hashes in self._parts.items():
            known = self._names[part]
            known += [name for name in hashes if name not in known]
            recording.names(part, known)
            for name, (value, forms) in hashes.items():
                recording.hash(part, known.index(name), value)
                if forms is not None:
                    recording.forms(known.index(name), *forms)
        for name, value in {**({} if loss is None else {"loss": loss}), **values}.items():
            recording.value(name, float(value))
        recording.end()
        self._parts = {}
