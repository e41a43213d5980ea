"""Names that moved, in a helper, a class, and behind an alias."""
import torch
import torch.cuda as cuda
from torch.backends.cuda import sdp_kernel
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint as ckpt


def attention(q, k, v):
    with sdp_kernel(enable_flash=True, enable_math=False):  #! MEM904
        return F.scaled_dot_product_attention(q, k, v)


class Monitor:
    def report(self):
        print(cuda.memory_cached() >> 20, cuda.max_memory_cached() >> 20)  #! MEM904
        cuda.reset_max_memory_cached()  #! MEM904


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.f = torch.nn.Linear(8, 8)

    def forward(self, x):
        return ckpt(self.f, x) + ckpt(self.f, x, preserve_rng_state=True)  #! MEM905 #! MEM905


def run(loader):
    net, mon = Block().cuda(), Monitor()
    torch.set_autocast_gpu_dtype(torch.bfloat16)  #! MEM904
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x in loader:
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        torch.nn.utils.clip_grad_norm(net.parameters(), 1.0)  #! MEM904
        opt.step()
    mon.report()
