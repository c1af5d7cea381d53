"""Hashes of PyTorch tensors: by address, shape and strides on the CPU; on another device eight lanes of 64-bit integers for
each piece of 64 KiB, whose value does not depend on the order of the sums, merged by the library. Both give the same hash."""
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
_BLOCKS, _STRIPES, _LANES_BYTES = 64, 16, 64

_NUMBER_OF = {getattr(torch, name): number for name, number in library.DTYPE_NUMBER.items() if hasattr(torch, name)}


_INTEGER = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}  # of as many bytes
_PLAIN = (torch.Tensor, torch.nn.Parameter)


_functions = getattr(torch._C, "_functorch", None)
is_wrapped = getattr(_functions, "is_functorch_wrapped_tensor", lambda tensor: False)  # a tensor inside torch.func


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


def stripe_sums(words):
    """What each block of pieces of 64 KiB adds to the lanes: words [p, 64 blocks, 16 stripes, 8] -> [p, 65, 8], all int64. The
    last block has no scramble, and its last stripe another key: [64] is that stripe."""
    _, keys, _, last = _constants_of(words.device)
    final = words[:, -1]
    ends = torch.stack((_stripes_sum(final[:, :-1], keys[:-1]), _stripes_sum(final[:, -1:], last)), 1)
    return torch.cat((_stripes_sum(words[:, :-1], keys), ends), 1)


def lanes(sums):
    """The lanes [p, 8] of pieces, from the sums [p, 65, 8] of their blocks."""
    start, _, scramble, _ = _constants_of(sums.device)
    lane = start.expand(sums.shape[0], 8)
    for block in range(_BLOCKS - 1):
        lane = lane + sums[:, block]
        lane = (lane ^ (lane >> 47 & 0x1FFFF) ^ scramble) * _P32_1
    return lane + sums[:, -2] + sums[:, -1]


def _bytes_of(tensor):
    """The bytes of a tensor in row-major order, from an address that 64-bit integers can have. As integers, for not every type
    can be copied everywhere."""
    data = tensor.view(_INTEGER[tensor.element_size()]).contiguous().view(-1).view(torch.uint8)
    return data if (data.storage_offset() | data.data_ptr()) % 8 == 0 else data.clone()


def _device_hashes(tensors):
    """Hashes of tensors of one device, computed where they are. 64 bytes of each whole piece and what remains after the last
    one come to the host, together."""
    data = [_bytes_of(tensor) for tensor in tensors]
    n_pieces = [x.numel() // PIECE for x in data]
    sums = [stripe_sums(part.view(torch.int64).view(-1, _BLOCKS, _STRIPES, 8))
            for x, n in zip(data, n_pieces) for part in x[:n * PIECE].split(_PIECES_AT_ONCE * PIECE) if n]
    joined = lanes(torch.cat(sums)).view(-1).view(torch.uint8) if sums else data[0][:0]
    rests = [x[n * PIECE:] for x, n in zip(data, n_pieces)]
    here = torch.cat([joined, *rests]).cpu()
    lane, rest, hashes = here.data_ptr(), here.data_ptr() + joined.numel(), []
    for n, x in zip(n_pieces, rests):
        hashes.append(library.as_bytes(lib.sb_hash_from_device(lane, n, rest, x.numel())))
        lane, rest = lane + n * _LANES_BYTES, rest + x.numel()
    return hashes


def device_hash(tensor):
    """The hash of one strided tensor, computed where it is."""
    return _device_hashes([tensor])[0]


def _is_freed(tensor):
    """Was its memory given back, as sharded training does between the passes?"""
    return tensor.numel() > 0 and tensor.untyped_storage().nbytes() == 0


def is_nested(tensor):
    """Does it have several shapes, and none of its own? Others, of the layout jagged, are a subclass."""
    return tensor.layout is torch.strided and tensor.is_nested


def shape_of(tensor):
    return () if is_nested(tensor) else tuple(tensor.shape)


def _quantized_parts(tensor):
    """Its whole numbers, and the scales and zero points by which they stand for others."""
    if tensor.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
        scales = torch.tensor([tensor.q_scale(), tensor.q_zero_point()], dtype=torch.float64)
        return [tensor.int_repr(), scales]
    return [tensor.int_repr(), tensor.q_per_channel_scales(), tensor.q_per_channel_zero_points()]


def plain_parts(tensor):
    """The strided tensors that a tensor is made of: of a sparse, nested or quantized one its parts, of a distributed one the local
    part, of one inside torch.func what it wraps. None: it has no numbers (a meta tensor, one of a compiler, one whose memory was
    freed)."""
    if is_wrapped(tensor):
        return plain_parts(_functions.get_unwrapped(tensor))
    if type(tensor) not in _PLAIN:
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
        if tensor._is_zerotensor():  # of forward-mode derivatives: no memory, and every number is 0
            return [torch.zeros(tensor.shape, dtype=tensor.dtype, device=tensor.device)]
        if is_nested(tensor):
            return [x for part in tensor.detach().unbind() for x in plain_parts(part) or []]
        if tensor.is_quantized:
            return _quantized_parts(tensor.detach())
        return None if _is_freed(tensor) else [tensor]
    tensor = tensor.detach()
    if tensor.layout is torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]
    return [tensor.to_dense()]


def _view_of(tensor):
    if tensor.dim() > library.DIMS_MAX:
        tensor = tensor.reshape(-1)
    result = library.view(tensor.data_ptr(), _NUMBER_OF[tensor.dtype], tensor.shape, tensor.stride())
    result.owner = tensor  # a copy lives as long as the view
    return result


def is_captured():
    """Is a CUDA graph being captured? Then nothing may be copied to the host."""
    return torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()


def is_here(tensor):
    """Does it lie in this memory as it is: strided, on the CPU, no subclass, nothing to be resolved?"""
    return (tensor.is_cpu and type(tensor) in _PLAIN and tensor.layout is torch.strided and tensor.dtype in _NUMBER_OF and
            not (tensor.is_nested or tensor.is_conj() or tensor.is_neg() or tensor._is_zerotensor() or is_wrapped(tensor)))


def _hash_here(tensor):
    if tensor.is_contiguous():
        return library.hash_numbers(tensor.data_ptr(), _NUMBER_OF[tensor.dtype], tensor.numel())
    return library.hash_view(_view_of(tensor))


def _plain_hashes(tensors):
    """Hashes of strided tensors: on the CPU one by one, of each other device together."""
    hashes, there = [None] * len(tensors), {}
    for number, tensor in enumerate(tensors):
        if tensor.dtype not in _NUMBER_OF:
            hashes[number] = library.NO_TENSOR
            continue
        if tensor.is_conj() or tensor.is_neg():
            tensor = tensor.detach().resolve_conj().resolve_neg()
        if tensor.device.type == "cpu":
            hashes[number] = library.hash_view(_view_of(tensor))
        else:
            there.setdefault(tensor.device, []).append((number, tensor.detach()))
    for items in there.values():
        for (number, _), value in zip(items, _device_hashes([tensor for _, tensor in items])):
            hashes[number] = value
    return hashes


def hash_tensors(tensors):
    """16 bytes for each; all zero: the tensor has no numbers. Of a device one copy to the host for all of them."""
    if is_captured():
        raise library.Error(library.EMPTY, "a CUDA graph is being captured, and its numbers do not exist yet: record, watch or trace "
                            "updates that run without a graph")
    if all(map(is_here, tensors)):
        return list(map(_hash_here, tensors))
    parts = [plain_parts(tensor) or [] for tensor in tensors]
    values = iter(_plain_hashes([part for some in parts for part in some]))
    hashes = [[next(values) for _ in some] for some in parts]
    return [library.NO_TENSOR if not some else some[0] if len(some) == 1 else library.hash_list(some) for some in hashes]


def hash_tensor(tensor):
    return _hash_here(tensor) if is_here(tensor) else hash_tensors([tensor])[0]


def sketch(tensor):
    """Norm and count sketch of all numbers of a tensor."""
    is_taken_as_it_is = is_here(tensor) and tensor.is_contiguous() and tensor.dtype in (torch.float32, torch.float64)
    dense = tensor if is_taken_as_it_is else numbers(tensor)
    return library.sketch(dense.data_ptr(), _NUMBER_OF[dense.dtype], dense.numel())


def numbers(tensor):
    """All numbers of a tensor in row-major order, float64 on the CPU; of a complex one real and imaginary parts."""
    parts = [part.detach().resolve_conj().resolve_neg() for part in plain_parts(tensor)]
    flat = [(torch.view_as_real(x) if x.is_complex() else x).to("cpu", torch.float64).reshape(-1) for x in parts]
    return (flat[0] if len(flat) == 1 else torch.cat(flat)).contiguous()


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
    return library.hash_numbers(bytes(data), library.DTYPE_NUMBER["uint8"], len(data))
