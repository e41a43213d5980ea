import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
from transformers import AutoModelForCausalLM

ds = TensorDataset(torch.rand(50, 4), torch.rand(50))


def loaders(workers):
    common = dict(batch_size=8, pin_memory=True)
    yield DataLoader(ds, num_workers=workers, prefetch_factor=2 if workers else None, **common)
    yield DataLoader(ds, num_workers=workers, persistent_workers=workers > 0, **common)
    yield DataLoader(ds, sampler=RandomSampler(ds), shuffle=False, batch_size=4)
    yield DataLoader(ds, batch_size=128, drop_last=False)
    yield DataLoader(ds, batch_size=32, drop_last=True)


def model(name, rank):
    m = AutoModelForCausalLM.from_pretrained(name, dtype=torch.bfloat16)
    return DistributedDataParallel(m.cuda(rank), gradient_as_bucket_view=True)
