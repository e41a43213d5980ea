# the constructor wraps its blocks; outside of enable_wrap that does nothing

from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.fsdp.wrap import enable_wrap, wrap


class Net(nn.Module):
    def __init__(self, make, count):
        super().__init__()
        self.blocks = nn.ModuleList(wrap(make()) for _ in range(count))


def prepare(make):
    with enable_wrap(wrapper_cls=FullyShardedDataParallel):
        net = Net(make, 24)
    return FullyShardedDataParallel(net)
