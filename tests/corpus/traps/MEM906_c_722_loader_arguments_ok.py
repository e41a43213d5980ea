import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset
from diffusers import UNet2DConditionModel

workers = 0 if torch.backends.mps.is_available() else 8
DEBUG = False
num_workers = 4
if DEBUG:
    num_workers = 0


def make(ds, args, sampler=None):
    kwargs = dict(num_workers=args.workers, pin_memory=True)
    if args.workers > 0:
        kwargs.update(prefetch_factor=2)
    a = DataLoader(ds, batch_size=args.bs, shuffle=(sampler is None), sampler=sampler, **kwargs)
    b = DataLoader(ds, args.bs, persistent_workers=True, num_workers=workers)
    c = DataLoader(ds, num_workers=num_workers, persistent_workers=True)
    d = DataLoader(ds, batch_sampler=BatchSampler(RandomSampler(ds), 32, True), batch_size=1, shuffle=False)
    e = DataLoader(ds, batch_size=None, sampler=BatchSampler(RandomSampler(ds), 32, True))
    return a, b, c, d, e


def tail(n):
    ds = TensorDataset(torch.randn(n, 3))
    return DataLoader(ds, batch_size=256, drop_last=True)


unet = UNet2DConditionModel.from_pretrained("x", torch_dtype=torch.float16, low_cpu_mem_usage=False)
