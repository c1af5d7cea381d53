"""check: is what an operation computed further from the exact result than rounding explains, and does it compute the same again?"""
import torch

from . import _torch_ops as ops
from ._torch_hash import hash_tensor, plain_parts

_FLOATS = (torch.float32, torch.bfloat16, torch.float16)
_EPS = {torch.float32: 2.0 ** -23, torch.float16: 2.0 ** -10, torch.bfloat16: 2.0 ** -7}
# They multiply their first argument by the difference of 1 and a rounded number that may be close to 1.
_ONE_MINUS = {"_log_softmax_backward_data", "_softmax_backward_data", "tanh_backward", "sigmoid_backward", "gelu_backward",
              "silu_backward", "mish_backward", "log_sigmoid_backward"}
_NOT_AGAIN = {"_fused_adam_", "_fused_adamw_", "_fused_sgd_", "_fused_adagrad_", "set_", "resize_", "_to_copy", "copy_", "clone"}


def _map(value, change):
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_map(item, change) for item in value) if not hasattr(value, "_fields") else value
    return value


def _flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [x for item in value for x in _flat(item)] if isinstance(value, (list, tuple)) else []


def _copy(x):
    """A copy with the same strides: on others a kernel may compute other bits."""
    if x.is_contiguous() or any(step == 0 for step in x.stride()):
        return x.detach().clone()
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=x.device).copy_(x.detach())


class _Before:
    __slots__ = ("function", "name", "args", "kwargs", "written")


class Checker:
    MOST = 200     # error over unit: above it is more than rounding
    AGAIN = 5      # executions
    EXPONENT = 24  # of the size from which on an operation is not executed again: 2**24 elements

    def __init__(self, checks):
        unknown = set(checks) - {"double", "twice"}
        if unknown:
            raise ValueError(f"check: 'double' and 'twice' are known, not {', '.join(sorted(map(str, unknown)))}")
        self._double, self._twice = "double" in checks, "twice" in checks

    def before(self, function, name, args, kwargs):
        """What is needed to execute it again: copies of what it overwrites. None: it is not checked."""
        if not (self._double or self._twice) or ops.is_random(function) or name in _NOT_AGAIN:
            return None
        if ops.namespace_of(function) != "aten":
            return None
        tensors = _flat(list(args)) + _flat(list(kwargs.values()))
        if not tensors or any(x.layout is not torch.strided or x.is_quantized for x in tensors):
            return None
        if sum(x.numel() for x in tensors) > 1 << self.EXPONENT:
            return None
        before = _Before()
        before.function, before.name = function, name
        written = self._positions(function, name, args, kwargs)
        copy = lambda value: _map(value, _copy)  # noqa: E731
        before.args = tuple(copy(x) if i in written else x for i, x in enumerate(args))
        before.kwargs = {k: copy(x) if k in written else x for k, x in kwargs.items()}
        before.written = written
        return before

    @staticmethod
    def _positions(function, name, args, kwargs):
        """Positions and names of the arguments that are overwritten."""
        written = set()
        for position, argument in enumerate(function._schema.arguments):
            is_running = name in ops.RUNNING and argument.name in ("running_mean", "running_var")
            if is_running or (argument.alias_info is not None and argument.alias_info.is_write):
                written.add(argument.name if argument.kwarg_only or argument.name in kwargs else position)
        return written

    def after(self, before, result):
        """(error, executions, other results)"""
        error, executions, others = -1.0, 0, 0
        try:
            if self._twice:
                executions, others = self._execute_again(before, result)
            if self._double:
                error = self._error(before, result)
        except (RuntimeError, NotImplementedError, TypeError, ValueError):
            pass  # not every operation has a form in double: it is counted as not checked
        return error, executions, others

    @staticmethod
    def _run(before, change):
        args = tuple(_map(x, change) for x in before.args)
        kwargs = {k: _map(x, change) for k, x in before.kwargs.items()}
        with torch.no_grad():
            result = before.function(*args, **kwargs)
        # what is overwritten is a result too
        extra = [x for i, x in enumerate(args) if i in before.written] + [x for k, x in kwargs.items() if k in before.written]
        return _flat(result), _flat(extra)

    def _execute_again(self, before, result):
        first = [hash_tensor(x) for x in _flat(result) if plain_parts(x)]
        written = before.written
        others = 0
        for _ in range(self.AGAIN):
            copies = {}

            def copy(x):
                return copies.setdefault(id(x), _copy(x)) if written else x
            again, _extra = self._run(before, copy)
            if [hash_tensor(x) for x in again if plain_parts(x)] != first:
                others += 1
        return self.AGAIN, others

    # -- double --

    def _error(self, before, result):
        results = [x for x in _flat(result)]
        floats = [x for x in _flat(list(before.args)) + _flat(list(before.kwargs.values())) if x.is_floating_point()]
        if not floats or not results or any(x.dtype not in _FLOATS for x in floats):
            return -1.0
        if "dtype" in before.kwargs or not all(x.dtype in _FLOATS or not x.is_floating_point() for x in results):
            return -1.0
        exact, _ = self._run(before, lambda x: x.detach().to(torch.float64, copy=True) if x.is_floating_point() else x.detach().clone())
        rounded, _ = self._run(before, _rounded_double)
        worst = -1.0
        least = floats[0] if before.name in _ONE_MINUS else None
        for mine, right, other in zip(results, exact, rounded):
            if mine.dtype in _FLOATS and right.dtype == torch.float64 and mine.shape == right.shape and mine.numel():
                worst = max(worst, _ratio(mine, right, other, least) / max(1.0, self._terms(before, mine) / 1024))
        return worst

    @staticmethod
    def _terms(before, result):
        """Terms of the sums that the result is made of."""
        tensors = [x for x in _flat(list(before.args)) if x.dim() > 0]
        name = before.name
        if name in ("mm", "bmm", "addmm", "baddbmm", "addbmm", "mv", "addmv", "dot", "_addmm_activation", "linear"):
            factors = tensors[-2:]
            return factors[0].shape[-1] if factors else 1
        if name == "convolution" and len(tensors) > 1:
            return tensors[1].numel() // max(1, tensors[1].shape[0])
        if name == "convolution_backward" and len(tensors) > 2:
            gradient, weights = tensors[0], tensors[2]
            of_input = result.shape == tensors[1].shape and result.shape != weights.shape
            return weights.numel() // max(1, weights.shape[1]) if of_input else gradient.numel() // max(1, gradient.shape[1])
        return max([x.numel() for x in tensors] or [1]) / max(1, result.numel())


def _rounded_double(x):
    """A tensor in double, each number moved by up to half a unit in its last place."""
    if not x.is_floating_point():
        return x.detach().clone()
    wide = x.detach().to(torch.float64, copy=True)
    generator = torch.Generator(device="cpu").manual_seed(x.numel())
    noise = torch.rand(x.shape, generator=generator, dtype=torch.float64, device="cpu").to(x.device) - 0.5
    return wide * (1 + noise * _EPS[x.dtype])


def _ratio(mine, right, other, least):
    """The error over what one rounding of every input, or of the result, makes; root mean squares over the tensor. least: a
    tensor whose rounding is the least unit, or None."""
    error = (mine.to(torch.float64) - right)
    use = torch.isfinite(error) & torch.isfinite(other)
    if not bool(use.any()):
        return -1.0
    rms = lambda x: float(x[use].square().mean().sqrt())  # noqa: E731
    tiny = float(torch.finfo(mine.dtype).tiny) * _EPS[mine.dtype]
    unit = max(rms(other - right), rms(right) * _EPS[mine.dtype] / 2, tiny)
    if least is not None:
        unit = max(unit, float(least.to(torch.float64).square().mean().sqrt()) * _EPS[mine.dtype] / 2)
    return rms(error) / unit
