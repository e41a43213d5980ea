# 67 million parameters, all in view

from torch import nn
from torch.distributed import fsdp


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50_000, 1024)
        self.a, self.b = nn.Linear(1024, 8192), nn.Linear(8192, 1024)


def main():
    net = fsdp.FullyShardedDataParallel(Net())  #! MEM605 warning
    net.train()


main()
