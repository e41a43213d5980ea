# two layers in view: there is nothing to gain by units

from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

net = nn.Sequential(nn.Linear(256, 1024), nn.ReLU(), nn.Linear(1024, 8))
net = FSDP(net.cuda())
