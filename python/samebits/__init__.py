"""Record what a training computes, and find where two trainings diverge.

    import samebits.torch as sb
    with sb.record(model, optimizer, "a.h5") as run: ...      # then: samebits diff a.h5 b.h5
    with sb.watch(model) as found: ...                        # tensors that change while the backward pass needs them

samebits.torch is for PyTorch, samebits.chainer for Chainer, samebits.array for NumPy and JAX, samebits.testing for tests."""
from ._library import Error, Recording, Tracing, library_version  # noqa: F401
from ._version import version

__version__ = version
