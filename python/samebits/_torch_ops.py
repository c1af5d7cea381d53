"""What is known of PyTorch's operations beyond their schemas."""
import functools

import torch

# Their first argument is written and not read.
OVERWRITES = {"copy_", "fill_", "zero_", "normal_", "uniform_", "bernoulli_", "random_", "exponential_", "cauchy_", "geometric_",
              "log_normal_", "_foreach_copy_", "_foreach_zero_", "resize_", "set_"}
ALLOCATES = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted", "empty_quantized"}
COPIES = {"copy_", "clone", "_to_copy"}
# They move no numbers, or are the framework's own.
NO_ROW = {"detach", "alias", "lift_fresh", "_local_scalar_dense", "is_same_size", "_has_compatible_shallow_copy_type", "set_",
          "resize_", "record_stream", "_version", "sym_size", "sym_numel", "sym_stride", "sym_storage_offset", "is_pinned"}
# They write running values, though their schemas do not say so.
RUNNING = {"native_batch_norm": "training", "cudnn_batch_norm": "training", "miopen_batch_norm": "training"}


def name_of(function):
    return function._schema.name.split("::")[-1]


def namespace_of(function):
    return function._schema.name.split("::")[0]


def is_exchange(function):
    """Between processes: its results come later, when the program has waited for them."""
    return "c10d" in namespace_of(function)


def is_filled(function, argument):
    """An argument that an exchange between processes fills and does not read; the schemas of c10d and fsdp do not say so."""
    fills = is_exchange(function) or (namespace_of(function) == "fsdp" and name_of(function) == "all_gather_copy_in")
    return fills and "output" in argument.name


def is_view(function):
    """A result that shares memory with an argument, which is not written."""
    returns = function._schema.returns
    return bool(returns) and all(r.alias_info is not None and not r.alias_info.is_write for r in returns)


def is_random(function):
    return torch.Tag.nondeterministic_seeded in function.tags


def bound(function, args, kwargs):
    """(argument of the schema, value) for each argument; those that were not given have their default."""
    for position, argument in enumerate(function._schema.arguments):
        if position < len(args) and not argument.kwarg_only:
            yield argument, args[position]
        elif argument.name in kwargs:
            yield argument, kwargs[argument.name]
        else:
            yield argument, argument.default_value if argument.has_default_value() else None


def tensors_of(name, value):
    """(role, tensor) of an argument or a result; self[3] of lists."""
    if isinstance(value, torch.Tensor):
        yield name, value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            if isinstance(item, torch.Tensor):
                yield f"{name}[{index}]", item


def has_tensor(value):
    return isinstance(value, torch.Tensor) or (isinstance(value, (list, tuple)) and any(isinstance(x, torch.Tensor) for x in value))


def _word(value):
    return repr(value) if isinstance(value, (str, float)) else str(value)


def argument_text(pairs):
    """The arguments that are no tensors and not the default: "alpha=-0.1 dim=[1, 2]"."""
    words = []
    for argument, value in pairs:
        default = argument.default_value if argument.has_default_value() else None
        if has_tensor(value) or isinstance(value, torch.Generator) or value is None:
            continue
        if argument.has_default_value() and type(value) is type(default) and value == default:
            continue
        words.append(f"{argument.name}={_word(value)[:1000]}")
    return " ".join(words)


@functools.lru_cache(None)
def dtype_text(dtype):
    return str(dtype).replace("torch.", "")


def layout_of(tensor):
    """"" where the elements lie dense in row-major order, "channels_last", or the strides."""
    if tensor.layout is not torch.strided:
        return str(tensor.layout).replace("torch.", "")
    if tensor.is_contiguous():
        return ""
    if tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last):
        return "channels_last"
    if tensor.dim() == 5 and tensor.is_contiguous(memory_format=torch.channels_last_3d):
        return "channels_last_3d"
    return "strides " + str(list(tensor.stride()))
