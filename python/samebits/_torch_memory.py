"""Which row wrote which memory, what it is called, and what was seen there."""
import torch
from torch.multiprocessing.reductions import StorageWeakRef


KNOWS_SHARED = hasattr(torch.UntypedStorage, "resizable")  # PyTorch 2.1 does not


def is_shared(tensor):
    """Does something outside of PyTorch own its memory, such as a NumPy array? Asked of the storage; nothing is changed. None: this
    PyTorch does not say."""
    if tensor.layout is not torch.strided:
        return False
    try:
        return not tensor.untyped_storage().resizable() if KNOWS_SHARED else None
    except (RuntimeError, NotImplementedError):
        return False


class Store:
    """One storage. seen: the hash of each view of it, since it was written last. fresh: of memory that was allocated in this
    update and not written as a whole yet, how many numbers were written; None: it has numbers."""
    __slots__ = ("reference", "writer", "names", "seen", "fresh")

    def __init__(self, reference):
        self.reference, self.writer, self.names, self.seen, self.fresh = reference, -1, {}, {}, None

    def name(self, offset):
        if offset in self.names:
            return self.names[offset]
        return next(iter(self.names.values())) if len(self.names) == 1 else ""


def key_of(tensor):
    return (tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype, tensor.is_conj(), tensor.is_neg())


def numbers_of(tensor):
    """How many numbers in memory a view reaches: an expanded dimension counts once."""
    n = 1
    for size, stride in zip(tensor.shape, tensor.stride()):
        n *= size if stride else min(size, 1)
    return n


class Memory:
    def __init__(self):
        self._stores = {}
        self._others = {}  # tensors without a storage: by their number
        self._generators = {}  # of the program's own
        self.generator = Store(None)
        self.generator.names[0] = "generator"

    def generator_of(self, generator):
        store = self._generators.get(id(generator))
        if store is None:
            store = self._generators[id(generator)] = Store(generator)  # kept, so that its number is not used again
            store.names[0] = f"generator {len(self._generators)}"
        return store

    def of(self, tensor):
        """The store of a tensor's memory. The storage is held weakly, so that its address is not used again."""
        try:
            storage = tensor.untyped_storage()
        except (RuntimeError, NotImplementedError):
            return self._others.setdefault(id(tensor), Store(tensor))
        key = storage._cdata
        store = self._stores.get(key)
        if store is None:
            store = self._stores[key] = Store(StorageWeakRef(storage))
        return store

    @staticmethod
    def offset(tensor):
        return tensor.storage_offset() if tensor.layout is torch.strided else 0

    def give_name(self, tensor, name, replace=True):
        names = self.of(tensor).names
        if replace:
            names[self.offset(tensor)] = name
        else:
            names.setdefault(self.offset(tensor), name)
