"""Hashes of PyTorch tensors: by address, shape and strides on the CPU; on another device eight lanes of 64-bit integers for
each piece of 64 KiB, whose value does not depend on the order of the sums, merged by the library. Both give the same hash."""
import ctypes

import torch

from . import _library as library
from ._library import lib

PIECE = 65536
_PIECES_AT_ONCE = 256
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
_P32_1, _P32_2, _P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
_START = (_P32_3, _P64[0], _P64[1], _P64[2], _P64[3], _P32_2, _P64[4], _P32_1)
_LOW = 0xFFFFFFFF
_BLOCKS, _STRIPES = 64, 16

_NUMBER_OF = {getattr(torch, name): number for name, number in library.DTYPE_NUMBER.items() if hasattr(torch, name)}


def _signed(value):
    return value - (1 << 64) if value >> 63 else value


def _secret_words(offset):
    return [_signed(int.from_bytes(_SECRET[offset + 8 * i:offset + 8 * i + 8], "little")) for i in range(8)]


_constants = {}  # of a device: start, keys of the stripes of a block, key of a scramble, key of the last stripe


def _constants_of(device):
    if device not in _constants:
        words = lambda rows: torch.tensor(rows, dtype=torch.int64, device=device)  # noqa: E731
        _constants[device] = (words([_signed(x) for x in _START]), words([_secret_words(8 * s) for s in range(_STRIPES)]),
                              words(_secret_words(192 - 64)), words(_secret_words(192 - 64 - 7)))
    return _constants[device]


def _stripes_sum(data, keys):
    """What stripes [..., n, 8] add to the lanes: a sum over n, so in any order."""
    mixed = data ^ keys
    product = (mixed & _LOW) * (mixed >> 32 & _LOW)
    swapped = data.view(*data.shape[:-1], 4, 2).flip(-1).reshape(data.shape)
    return (product + swapped).sum(-2)


def lanes(words):
    """The lanes [p, 8] of pieces of 64 KiB, words [p, 64 blocks, 16 stripes, 8], all int64."""
    start, keys, scramble, last = _constants_of(words.device)
    lane = start.expand(words.shape[0], 8)
    for block in range(_BLOCKS - 1):
        lane = lane + _stripes_sum(words[:, block], keys)
        lane = (lane ^ (lane >> 47 & 0x1FFFF) ^ scramble) * _P32_1
    lane = lane + _stripes_sum(words[:, -1, :-1], keys[:-1])
    return lane + _stripes_sum(words[:, -1, -1:], last)


def device_hash(tensor):
    """The hash of a dense tensor, computed where it is; only 64 bytes of each 64 KiB, and the rest after the last whole
    piece, come to the host."""
    data = tensor.contiguous().view(-1).view(torch.uint8)
    n_pieces = data.numel() // PIECE
    rest = data[n_pieces * PIECE:].cpu()
    parts = []
    for first in range(0, n_pieces, _PIECES_AT_ONCE):
        n = min(_PIECES_AT_ONCE, n_pieces - first)
        words = data[first * PIECE:(first + n) * PIECE].view(torch.int64).view(n, _BLOCKS, _STRIPES, 8)
        parts.append(lanes(words).cpu())
    joined = torch.cat(parts).contiguous() if parts else torch.zeros(0, 8, dtype=torch.int64)
    result = lib.sb_hash_from_device(joined.data_ptr(), n_pieces, rest.data_ptr(), rest.numel())
    return library.as_bytes(result)


def plain_parts(tensor):
    """The strided tensors that a tensor is made of: of a sparse one its parts, of a distributed one the local part. None: it has
    no numbers (a meta tensor, one of a compiler)."""
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        local = getattr(tensor, "_local_tensor", None)
        if isinstance(local, torch.Tensor):
            return plain_parts(local)
        if hasattr(tensor, "__tensor_flatten__"):
            names, _ = tensor.__tensor_flatten__()
            parts = [plain_parts(getattr(tensor, name)) for name in names]
            return None if any(part is None for part in parts) else [x for part in parts for x in part]
        if hasattr(tensor, "fake_mode"):
            return None
    if tensor.device.type == "meta":
        return None
    if tensor.layout is torch.strided:
        return None if tensor.is_quantized else [tensor]
    tensor = tensor.detach()
    if tensor.layout is torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]
    return [tensor.to_dense()]


def _view_of(tensor):
    return library.view(tensor.data_ptr(), _NUMBER_OF[tensor.dtype], tensor.shape, tensor.stride())


def _plain_hash(tensor):
    if tensor.is_conj() or tensor.is_neg():
        tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype not in _NUMBER_OF:
        return library.NO_TENSOR
    if tensor.device.type != "cpu":
        if tensor.numel() * tensor.element_size() > PIECE:
            return device_hash(tensor.detach())
        tensor = tensor.detach().cpu()
    return library.hash_view(_view_of(tensor))


def hash_tensor(tensor):
    """16 bytes; all zero: the tensor has no numbers."""
    parts = plain_parts(tensor)
    if not parts:
        return library.NO_TENSOR
    hashes = [_plain_hash(part) for part in parts]
    return hashes[0] if len(hashes) == 1 else library.hash_list(hashes)


def forms(tensor):
    """The canonical hash and the hash of the sorted samples of a batch's tensor."""
    parts = plain_parts(tensor)
    if not parts or len(parts) != 1 or parts[0].dtype not in _NUMBER_OF:
        return library.NO_TENSOR, library.NO_TENSOR
    part = parts[0].detach().resolve_conj().resolve_neg().cpu()
    described = _view_of(part)
    return library.as_bytes(lib.sb_view_canonical(described)), library.as_bytes(lib.sb_view_samples(described))


def hash_bytes(data):
    """The hash of bytes, such as the state of a generator."""
    described = library.view(None, library.DTYPE_NUMBER["uint8"], (len(data),))
    buffer = ctypes.create_string_buffer(bytes(data), len(data) or 1)
    described.data = ctypes.cast(buffer, ctypes.c_void_p)
    return library.hash_view(described)
