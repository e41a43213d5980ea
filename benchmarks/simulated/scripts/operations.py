"""What single operations take beside what they give: printed as JSON, by name (given names alone, if any).

Each case is called twice with the same inputs; the second call counts, so that handles and workspaces
that last are there already. `peak` is what was allocated at most in that call beyond what was there before,
`kept` what is left of it while its result is alive, both in bytes; `first` is the peak of the first call.
"""

import gc
import json
import sys

import torch
import torch.nn.functional as F
from torch import nn

CASES = {}


def case(name, *arguments):
    def add(make):
        CASES[name] = (make, arguments)
        return make

    return add


def rand(*shape, dtype=torch.float32, grad=False):
    return torch.randn(*shape, device="cuda").to(dtype).requires_grad_(grad)


def whole(high, *shape):
    return torch.randint(0, high, shape, device="cuda")


def several(make, names):
    """The same case with other arguments, one for each name."""
    for name, arguments in names.items():
        CASES[name] = (make, arguments)


def one(function, *shape, **options):
    x = rand(*shape, **options)
    return lambda: function(x)


several(
    one,
    {
        "sort 1M": (lambda x: x.sort(), 1 << 20),
        "sort 64M": (lambda x: x.sort(), 1 << 26),
        "sort rows 4096x4096": (lambda x: x.sort(dim=1), 4096, 4096),
        "sort rows 64x100k": (lambda x: x.sort(dim=1), 64, 100_000),
        "sort columns 4096x512": (lambda x: x.sort(dim=0), 4096, 512),
        "sort stable 1M": (lambda x: x.sort(stable=True), 1 << 20),
        "argsort descending 6144x20000": (lambda x: x.argsort(dim=1, descending=True), 6144, 20000),
        "topk 5 of 4096x32000": (lambda x: x.topk(5, dim=1), 4096, 32000),
        "topk 1000 of 4M": (lambda x: x.topk(1000), 1 << 22),
        "topk 50 of 64x128k": (lambda x: x.topk(50, dim=1), 64, 128_000),
        "kthvalue 4096x4096": (lambda x: x.kthvalue(7, dim=1), 4096, 4096),
        "median 16M": (lambda x: x.median(), 1 << 24),
        "median rows 4096x4096": (lambda x: x.median(dim=1), 4096, 4096),
        "quantile 4M": (lambda x: x.quantile(0.9), 1 << 22),
        "cumsum 64M": (lambda x: x.cumsum(0), 1 << 26),
        "cumsum rows 4096x4096": (lambda x: x.cumsum(1), 4096, 4096),
        "cumprod 1M": (lambda x: x.cumprod(0), 1 << 20),
        "logcumsumexp 1M": (lambda x: x.logcumsumexp(0), 1 << 20),
        "cummax 4096x4096": (lambda x: x.cummax(1), 4096, 4096),
        "argmax 64M": (lambda x: x.argmax(), 1 << 26),
        "sum 64M": (lambda x: x.sum(), 1 << 26),
        "sum columns 65536x1024": (lambda x: x.sum(0), 65536, 1024),
        "mean rows 65536x1024": (lambda x: x.mean(1), 65536, 1024),
        "norm 64M": (lambda x: x.norm(), 1 << 26),
        "var rows 65536x1024": (lambda x: x.var(1), 65536, 1024),
        "logsumexp 4096x32000": (lambda x: x.logsumexp(1), 4096, 32000),
        "softmax 4096x32000": (lambda x: x.softmax(1), 4096, 32000),
        "amax 64M": (lambda x: x.amax(), 1 << 26),
        "isfinite all 16M": (lambda x: x.isfinite().all(), 1 << 24),
        "isnan any 16M": (lambda x: x.isnan().any(), 1 << 24),
        "histc 16M": (lambda x: x.histc(100), 1 << 24),
        "histc bins 1M": (lambda x: x.histc(1 << 16), 1 << 20),
        "clone 16M": (lambda x: x.clone(), 1 << 24),
        "flip 16M": (lambda x: x.flip(0), 1 << 24),
        "roll 4096x4096": (lambda x: x.roll(5, 1), 4096, 4096),
        "einsum ij,kj": (lambda x: torch.einsum("ij,kj->ik", x, x), 2048, 2048),
        "cdist 4096x64": (lambda x: torch.cdist(x, x), 4096, 64),
        "pdist 2048x64": (lambda x: F.pdist(x), 2048, 64),
        "multinomial 64x32000": (lambda x: torch.multinomial(x.softmax(1), 1), 64, 32000),
        "multinomial 8 of 64x32000": (lambda x: torch.multinomial(x.softmax(1), 8), 64, 32000),
        "dropout 16M": (lambda x: F.dropout(x, 0.1), 1 << 24),
        "inverse 1024": (lambda x: torch.linalg.inv(x), 1024, 1024),
        "inverse 64x128x128": (lambda x: torch.linalg.inv(x), 64, 128, 128),
        "cholesky 1024": (lambda x: torch.linalg.cholesky(x @ x.T + 2000 * torch.eye(1024, device="cuda")), 1024, 1024),
        "svd 512": (lambda x: torch.linalg.svd(x), 512, 512),
        "eigh 512": (lambda x: torch.linalg.eigh(x + x.T), 512, 512),
        "qr 1024x256": (lambda x: torch.linalg.qr(x), 1024, 256),
        "solve 1024": (lambda x: torch.linalg.solve(x, x), 1024, 1024),
        "det 256": (lambda x: torch.linalg.det(x), 256, 256),
        "fft 16x1M": (lambda x: torch.fft.fft(x), 16, 1 << 20),
        "rfft2 16x3x256x256": (lambda x: torch.fft.rfft2(x), 16, 3, 256, 256),
        "stft 16x160k": (
            lambda x: torch.stft(x, 1024, 256, window=torch.hann_window(1024, device="cuda"), return_complex=True),
            16, 160_000,
        ),
        "interpolate bilinear": (
            lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False), 8, 64, 128, 128,
        ),
        "interpolate bicubic": (lambda x: F.interpolate(x, scale_factor=2.0, mode="bicubic"), 8, 16, 128, 128),
        "unfold 3x3": (lambda x: F.unfold(x, 3, padding=1), 8, 32, 64, 64),
        "max_pool2d": (lambda x: F.max_pool2d(x, 2), 16, 64, 112, 112),
        "adaptive_avg_pool2d": (lambda x: F.adaptive_avg_pool2d(x, 7), 16, 512, 14, 14),
        "to channels last": (lambda x: x.to(memory_format=torch.channels_last), 16, 64, 112, 112),
        "to host": (lambda x: x.cpu(), 1 << 22),
    },
)  # fmt: skip


@case("nonzero 16M")
def _():
    x = rand(1 << 24) > 0
    return lambda: x.nonzero()


@case("masked_select 16M")
def _():
    x = rand(1 << 24)
    mask = torch.ones(1 << 24, dtype=torch.bool, device="cuda")
    return lambda: x[mask]


@case("index by mask 4096 rows of 1024")
def _():
    x = rand(4096, 1024)
    mask = torch.ones(4096, dtype=torch.bool, device="cuda")
    return lambda: x[mask]


@case("masked assignment 16M")
def _():
    x = rand(1 << 24)
    mask = x > 0

    def go():
        x[mask] = 0.0

    return go


@case("index_put accumulate 1M")
def _():
    x, places, values = rand(100_000, 16), whole(100_000, 1 << 18), rand(1 << 18, 16)
    return lambda: x.index_put_((places,), values, accumulate=True)


@case("index_put 1M")
def _():
    x, places, values = rand(100_000, 16), whole(100_000, 1 << 18), rand(1 << 18, 16)
    return lambda: x.index_put_((places,), values)


@case("index_add 1M")
def _():
    x, places, values = rand(100_000, 16), whole(100_000, 1 << 18), rand(1 << 18, 16)
    return lambda: x.index_add_(0, places, values)


@case("scatter_add 4M")
def _():
    x, places, values = rand(1 << 20), whole(1 << 20, 1 << 22), rand(1 << 22)
    return lambda: x.scatter_add_(0, places, values)


@case("scatter_reduce amax 4M")
def _():
    x, places, values = rand(1 << 20), whole(1 << 20, 1 << 22), rand(1 << 22)
    return lambda: x.scatter_reduce_(0, places, values, "amax")


@case("gather 4096x4096")
def _():
    x, places = rand(4096, 4096), whole(4096, 4096, 4096)
    return lambda: x.gather(1, places)


@case("unique 4M")
def _():
    x = torch.arange(1 << 22, device="cuda")
    return lambda: x.unique()


@case("unique with counts and inverse 1M")
def _():
    x = torch.arange(1 << 20, device="cuda")
    return lambda: x.unique(return_inverse=True, return_counts=True)


@case("bincount 4M")
def _():
    x = whole(1000, 1 << 22)
    return lambda: x.bincount(minlength=1000)


@case("searchsorted 4M")
def _():
    x, y = torch.arange(1 << 16, device="cuda").float(), rand(1 << 22)
    return lambda: torch.searchsorted(x, y)


@case("randperm 1M")
def _():
    return lambda: torch.randperm(1 << 20, device="cuda")


@case("randperm 10k")
def _():
    return lambda: torch.randperm(10_000, device="cuda")


@case("one_hot 1M of 16")
def _():
    x = whole(16, 1 << 20)
    return lambda: F.one_hot(x, 16)


@case("grid_sample")
def _():
    x, grid = rand(8, 32, 128, 128), rand(8, 128, 128, 2)
    return lambda: F.grid_sample(x, grid, align_corners=False)


def trained(make, *shapes, dtype=torch.float32, autocast=None, last=False):
    """One forward and backward pass of a module; its gradients are there before."""
    module = make().cuda().to(dtype)
    inputs = [rand(*shape, dtype=dtype, grad=True) for shape in shapes]
    if last:
        module = module.to(memory_format=torch.channels_last)
        inputs = [x.detach().to(memory_format=torch.channels_last).requires_grad_() for x in inputs]

    def go():
        with torch.autocast("cuda", dtype=autocast or torch.bfloat16, enabled=autocast is not None):
            given = module(*inputs)
        given = given[0] if isinstance(given, tuple) else given
        given.backward(torch.ones_like(given))

    return go


def convolved(before, after, size, side, batch, **options):
    run = {name: options.pop(name) for name in ("dtype", "autocast", "last") if name in options}
    return trained(lambda: nn.Conv2d(before, after, size, **options), (batch, before, side, side), **run)


for name, arguments in {
    "conv 3-64 7x7/2 224 b32": (3, 64, 7, 224, 32, {"stride": 2, "padding": 3}),
    "conv 64-64 3x3 56 b32": (64, 64, 3, 56, 32, {"padding": 1}),
    "conv 64-256 1x1 56 b32": (64, 256, 1, 56, 32, {}),
    "conv 256-256 3x3 14 b32": (256, 256, 3, 14, 32, {"padding": 1}),
    "conv 512-512 3x3 7 b32": (512, 512, 3, 7, 32, {"padding": 1}),
    "conv 128-128 3x3/2 56 b32": (128, 128, 3, 56, 32, {"stride": 2, "padding": 1}),
    "conv 128-128 3x3 128 b8": (128, 128, 3, 128, 8, {"padding": 1}),
    "conv depthwise 128 3x3 56 b32": (128, 128, 3, 56, 32, {"padding": 1, "groups": 128}),
    "conv groups 128 32 3x3 28 b32": (128, 128, 3, 28, 32, {"padding": 1, "groups": 32}),
    "conv dilated 256-256 3x3 32 b8": (256, 256, 3, 32, 8, {"padding": 4, "dilation": 4}),
    "conv 5x5 64-64 64 b32": (64, 64, 5, 64, 32, {"padding": 2}),
    "conv 3-768 16x16/16 224 b32": (3, 768, 16, 224, 32, {"stride": 16}),
}.items():
    *sizes, options = arguments
    for kind, run in {
        "": {},
        " bf16": {"dtype": torch.bfloat16},
        " bf16 last": {"dtype": torch.bfloat16, "last": True},
        " fp16": {"dtype": torch.float16},
        " last": {"last": True},
    }.items():
        CASES[name + kind] = (lambda sizes=sizes, options=options, run=run: convolved(*sizes, **options, **run), ())
several(
    trained,
    {
        "conv transposed 256-128 2x2/2 64 b8": (lambda: nn.ConvTranspose2d(256, 128, 2, 2), (8, 256, 64, 64)),
        "conv transposed 512-256 4x4/2 8 b128": (lambda: nn.ConvTranspose2d(512, 256, 4, 2, 1), (128, 512, 8, 8)),
        "conv1d 512-512 3 4096 b8": (lambda: nn.Conv1d(512, 512, 3, padding=1), (8, 512, 4096)),
        "conv3d 32-64 3 32 b4": (lambda: nn.Conv3d(32, 64, 3, padding=1), (4, 32, 32, 32, 32)),
        "batch norm 64 56 b32": (lambda: nn.BatchNorm2d(64), (32, 64, 56, 56)),
        "batch norm 256 56 b32": (lambda: nn.BatchNorm2d(256), (32, 256, 56, 56)),
        "batch norm 1d 4096x512": (lambda: nn.BatchNorm1d(512), (4096, 512)),
        "group norm 256 32 b16": (lambda: nn.GroupNorm(32, 256), (16, 256, 32, 32)),
        "instance norm 64 128 b8": (lambda: nn.InstanceNorm2d(64, affine=True), (8, 64, 128, 128)),
        "layer norm 8192x1024": (lambda: nn.LayerNorm(1024), (8192, 1024)),
        "layer norm 197x32x768": (lambda: nn.LayerNorm(768), (32, 197, 768)),
        "rms norm 8192x2048": (lambda: nn.RMSNorm(2048), (8192, 2048)),
        "linear 4096x1024-4096": (lambda: nn.Linear(1024, 4096), (4096, 1024)),
        "gelu 16M": (nn.GELU, (1 << 24,)),
        "silu 16M": (nn.SiLU, (1 << 24,)),
        "softplus 16M": (nn.Softplus, (1 << 24,)),
        "max pool 3/2 64 112 b32": (lambda: nn.MaxPool2d(3, 2, 1), (32, 64, 112, 112)),
        "avg pool 2 64 112 b32": (lambda: nn.AvgPool2d(2), (32, 64, 112, 112)),
        "adaptive pool 1 2048 7 b32": (lambda: nn.AdaptiveAvgPool2d(1), (32, 2048, 7, 7)),
        "upsample bilinear 64 64 b8": (lambda: nn.Upsample(scale_factor=2, mode="bilinear"), (8, 64, 64, 64)),
        "upsample nearest 64 64 b8": (lambda: nn.Upsample(scale_factor=2), (8, 64, 64, 64)),
        "LSTM 512 1x120 b64": (lambda: nn.LSTM(512, 512, batch_first=True), (64, 120, 512)),
        "LSTM 512 2 both 120 b64": (
            lambda: nn.LSTM(512, 512, 2, batch_first=True, bidirectional=True), (64, 120, 512),
        ),
        "LSTM 512 2 dropout 120 b64": (
            lambda: nn.LSTM(512, 512, 2, batch_first=True, dropout=0.2), (64, 120, 512),
        ),
        "LSTM 128 2 33 b16": (lambda: nn.LSTM(64, 128, 2, batch_first=True), (16, 32, 64)),
        "LSTM 1024 1 256 b32": (lambda: nn.LSTM(1024, 1024), (256, 32, 1024)),
        "LSTM projected 512-128 120 b64": (lambda: nn.LSTM(512, 512, proj_size=128), (120, 64, 512)),
        "GRU 512 1 120 b64": (lambda: nn.GRU(512, 512, batch_first=True), (64, 120, 512)),
        "GRU 512 2 both 120 b64": (lambda: nn.GRU(512, 512, 2, bidirectional=True), (120, 64, 512)),
        "RNN 512 1 120 b64": (lambda: nn.RNN(512, 512), (120, 64, 512)),
        "MultiheadAttention 768 12 197 b32": (
            lambda: Alone(nn.MultiheadAttention(768, 12, batch_first=True)), (32, 197, 768),
        ),
        "encoder layer 512 8 128 b32": (
            lambda: nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True), (32, 128, 512),
        ),
    },
)  # fmt: skip
for name in list(CASES):
    if name.startswith(("LSTM 512", "GRU 512", "LSTM 1024")) and "projected" not in name:
        make, arguments = CASES[name]
        CASES[name + " fp16"] = (lambda make=make, given=arguments: make(*given, dtype=torch.float16), ())


class Alone(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)


@case("LSTM 512 2 120 b64 in evaluation")
def _():
    net, x = nn.LSTM(512, 512, 2, batch_first=True).cuda().eval(), rand(64, 120, 512)

    def go():
        with torch.no_grad():
            return net(x)

    return go


@case("LSTM 512 packed 120 b64")
def _():
    net, x = nn.LSTM(512, 512, batch_first=True).cuda(), rand(64, 120, 512)
    lengths = torch.arange(120, 56, -1)

    def go():
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        given, _ = nn.utils.rnn.pad_packed_sequence(net(packed)[0], batch_first=True)
        given.sum().backward()

    return go


def attended(heads, length, size, dtype, shared=None, batch=4, **options):
    q = rand(batch, heads, length, size, dtype=dtype, grad=True)
    k, v = (rand(batch, shared or heads, length, size, dtype=dtype, grad=True) for _ in range(2))
    if options.pop("mask", False):
        options["attn_mask"] = torch.ones(batch, 1, length, length, dtype=torch.bool, device="cuda").tril()
    if options.pop("bias", False):
        options["attn_mask"] = rand(1, heads, length, length, dtype=dtype, grad=True)
    backward = options.pop("backward", True)

    def go():
        given = F.scaled_dot_product_attention(q, k, v, **options)
        if backward:
            given.backward(torch.ones_like(given))

    return go


for name, arguments in {
    "attention 12x1024x64 causal": (12, 1024, 64, {"is_causal": True}),
    "attention 12x1024x64": (12, 1024, 64, {}),
    "attention 12x1000x64 dropout": (12, 1000, 64, {"dropout_p": 0.1}),
    "attention 12x1024x64 mask": (12, 1024, 64, {"mask": True}),
    "attention 12x1001x64 mask": (12, 1001, 64, {"mask": True}),
    "attention 12x512x64 bias": (12, 512, 64, {"bias": True}),
    "attention 16x2048x128 shared 4": (16, 2048, 128, {"shared": 4, "enable_gqa": True, "is_causal": True}),
    "attention 8x1024x256": (8, 1024, 256, {}),
    "attention 8x512x40": (8, 512, 40, {}),
    "attention 1x4096x512": (1, 4096, 512, {}),
    "attention 12x1024x64 forward": (12, 1024, 64, {"backward": False}),
}.items():
    *sizes, options = arguments
    for kind, dtype in {" fp32": torch.float32, " bf16": torch.bfloat16, " fp16": torch.float16}.items():
        CASES[name + kind] = (
            lambda sizes=sizes, options=options, dtype=dtype: attended(*sizes, dtype, **options),
            (),
        )


def lost(loss, *shape, classes=None, dtype=torch.float32):
    x = rand(*shape, dtype=dtype, grad=True)
    wanted = whole(classes, shape[0], *shape[2:]) if classes else rand(*shape, dtype=dtype).sigmoid()

    def go():
        loss(x, wanted).backward()

    return go


several(
    lost,
    {
        "mse_loss 16M": (F.mse_loss, 1 << 24),
        "bce with logits 16M": (F.binary_cross_entropy_with_logits, 1 << 24),
        "smooth l1 16M": (F.smooth_l1_loss, 1 << 24),
        "kl_div 4096x32000": (lambda x, y: F.kl_div(x.log_softmax(1), y, reduction="batchmean"), 4096, 32000),
    },
)
for name, options in {"": {}, " smoothed": {"label_smoothing": 0.1}, " ignored": {"ignore_index": 5}}.items():
    for kind, dtype in {"": torch.float32, " bf16": torch.bfloat16}.items():
        CASES[f"cross_entropy 4096x32000{name}{kind}"] = (
            lambda options=options, dtype=dtype: lost(
                lambda x, y: F.cross_entropy(x, y, **options), 4096, 32000, classes=32000, dtype=dtype
            ),
            (),
        )


@case("cross_entropy of images 8x21x256x256")
def _():
    return lost(F.cross_entropy, 8, 21, 256, 256, classes=21)


@case("ctc loss 200 b32 of 100")
def _():
    x = rand(200, 32, 100, grad=True)
    wanted = torch.randint(1, 100, (32, 40), device="cuda")
    lengths, targets = torch.full((32,), 200), torch.full((32,), 40)
    return lambda: F.ctc_loss(x.log_softmax(2), wanted, lengths, targets).backward()


@case("ctc loss of cuDNN 200 b32 of 100")
def _():
    x = rand(200, 32, 100, grad=True)
    wanted = torch.randint(1, 100, (32 * 40,), dtype=torch.int32)
    lengths, targets = torch.full((32,), 200, dtype=torch.int32), torch.full((32,), 40, dtype=torch.int32)
    return lambda: F.ctc_loss(x.log_softmax(2), wanted, lengths, targets).backward()


def looked_up(rows, width, *shape, make=nn.Embedding, **options):
    table, places = make(rows, width, **options).cuda(), whole(rows, *shape)

    def go():
        given = table(places)
        given.backward(torch.ones_like(given))

    return go


several(
    looked_up,
    {
        "embedding 50257x768 of 4x1024": (50257, 768, 4, 1024),
        "embedding 32000x64 of 64x128": (32000, 64, 64, 128),
        "embedding 1000x64 of 16x32": (1000, 64, 16, 32),
        "embedding 1M x 64 of 4096": (1_000_000, 64, 4096),
        "embedding 50257x768 of 1x2048": (50257, 768, 1, 2048),
    },
)
for name, options in {"": {}, " mean": {"mode": "mean"}, " sum": {"mode": "sum"}, " max": {"mode": "max"}}.items():
    CASES[f"embedding bag 100k x 64 of 4096x20{name}"] = (
        lambda options=options: looked_up(100_000, 64, 4096, 20, make=nn.EmbeddingBag, **options),
        (),
    )
CASES["embedding sparse 1M x 64 of 4096"] = (lambda: looked_up(1_000_000, 64, 4096, sparse=True), ())


@case("indexed weight 100k x 64 by 64k")
def _():
    table, places = rand(100_000, 64, grad=True), whole(100_000, 1 << 16)

    def go():
        given = table[places]
        given.backward(torch.ones_like(given))

    return go


@case("gather backward 4096x4096")
def _():
    x, places = rand(4096, 4096, grad=True), whole(4096, 4096, 16)

    def go():
        given = x.gather(1, places)
        given.backward(torch.ones_like(given))

    return go


@case("cumsum backward 4096x4096")
def _():
    x = rand(4096, 4096, grad=True)
    return lambda: x.cumsum(1).sum().backward()


@case("sort backward 4096x4096")
def _():
    x = rand(4096, 4096, grad=True)
    return lambda: x.sort(dim=1).values.sum().backward()


@case("grid_sample backward")
def _():
    x, grid = rand(8, 32, 128, 128, grad=True), rand(8, 128, 128, 2)
    return lambda: F.grid_sample(x, grid, align_corners=False).sum().backward()


@case("sparse mm 100k x 100k of 1M by 64")
def _():
    rows, columns = whole(100_000, 1_000_000), whole(100_000, 1_000_000)
    graph = torch.sparse_coo_tensor(torch.stack([rows, columns]), torch.ones(1_000_000, device="cuda"), (100_000,) * 2)
    x = rand(100_000, 64)
    return lambda: torch.sparse.mm(graph, x)


def stepped(make, *shapes, clip=False, scaler=False):
    weights = [rand(*shape, grad=True) for shape in shapes]
    for weight in weights:
        weight.grad = torch.ones_like(weight)
    optimizer = make(weights)

    def go():
        if clip:
            nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()

    return go


SHAPES = ((4096, 1024), (1024, 4096), (1024,), (4096,), (32000, 256))
for name, make in {
    "SGD": lambda w: torch.optim.SGD(w, 0.1),
    "SGD momentum": lambda w: torch.optim.SGD(w, 0.1, momentum=0.9),
    "Adam": lambda w: torch.optim.Adam(w),
    "AdamW": lambda w: torch.optim.AdamW(w),
    "AdamW fused": lambda w: torch.optim.AdamW(w, fused=True),
    "AdamW loop": lambda w: torch.optim.AdamW(w, foreach=False),
    "AdamW capturable": lambda w: torch.optim.AdamW(w, capturable=True),
    "AdamW amsgrad": lambda w: torch.optim.AdamW(w, amsgrad=True),
    "RMSprop": lambda w: torch.optim.RMSprop(w),
    "Adagrad": lambda w: torch.optim.Adagrad(w),
    "Adadelta": lambda w: torch.optim.Adadelta(w),
    "Adamax": lambda w: torch.optim.Adamax(w),
    "NAdam": lambda w: torch.optim.NAdam(w),
    "RAdam": lambda w: torch.optim.RAdam(w),
    "Rprop": lambda w: torch.optim.Rprop(w),
    "ASGD": lambda w: torch.optim.ASGD(w),
    "Adafactor": lambda w: torch.optim.Adafactor(w),
}.items():
    CASES[f"step of {name}"] = (lambda make=make: stepped(make, *SHAPES), ())
CASES["clipped step of AdamW"] = (lambda: stepped(torch.optim.AdamW, *SHAPES, clip=True), ())


@case("unscale of a GradScaler")
def _():
    weights = [rand(*shape, grad=True) for shape in SHAPES]
    optimizer, scaler = torch.optim.SGD(weights, 0.1), torch.amp.GradScaler("cuda")

    def go():
        for weight in weights:
            weight.grad = torch.ones_like(weight)
        scaler.scale(torch.ones((), device="cuda"))
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()

    return go


def allocated():
    torch.cuda.synchronize()
    return torch.cuda.memory_allocated()


def called(go):
    before = allocated()
    torch.cuda.reset_peak_memory_stats()
    given = go()
    torch.cuda.synchronize()
    peak, kept = torch.cuda.max_memory_allocated() - before, allocated() - before
    del given
    return peak, kept


def main():
    torch.manual_seed(0)
    (torch.ones(8, 8, device="cuda") @ torch.ones(8, 8, device="cuda")).sum().item()
    for name in sys.argv[1:] or CASES:
        make, arguments = CASES[name]
        try:
            go = make(*arguments)
            first, _ = called(go)
            peak, kept = called(go)
            print(json.dumps({"case": name, "peak": peak, "kept": kept, "first": first}), flush=True)
        except Exception as error:
            print(json.dumps({"case": name, "problem": f"{type(error).__name__}: {error}"[:200]}), flush=True)
        go = None
        gc.collect()
        torch.cuda.empty_cache()


main()
