"""Arguments without effect, and arguments that raise."""
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, RandomSampler, TensorDataset, WeightedRandomSampler
from transformers import AutoModelForCausalLM

ds = TensorDataset(torch.rand(50, 4), torch.rand(50))


def loaders():
    common = dict(batch_size=8, pin_memory=True)
    yield DataLoader(ds, num_workers=0, prefetch_factor=2, **common)  #! MEM906
    yield DataLoader(ds, persistent_workers=True, **common)  #! MEM906
    yield DataLoader(ds, sampler=WeightedRandomSampler(torch.ones(50), 50), shuffle=True, batch_size=4)  #! MEM906
    yield DataLoader(ds, num_workers=2, pin_memory_device="cuda:0", **common)  #! MEM906
    yield DataLoader(ds, batch_size=128, drop_last=True)  #! MEM906


def model(name, rank):
    m = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16, low_cpu_mem_usage=True)  #! MEM906
    return DistributedDataParallel(m.cuda(rank), broadcast_buffers=False, gradient_as_bucket_view=True)  #! MEM906
