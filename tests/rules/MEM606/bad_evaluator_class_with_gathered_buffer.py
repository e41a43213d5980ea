# evaluator class with a gathered buffer

import torch
from torch import distributed as dist


class Evaluator:
    def __init__(self, net, world):
        self.net = net
        self.world = world
        self.outputs = []

    def run(self, test_loader):
        self.net.eval()
        with torch.inference_mode():
            for x, _ in test_loader:
                out = self.net(x.cuda(non_blocking=True))
                buffer = torch.empty(self.world * out.shape[0], out.shape[1], device=out.device)
                dist.all_gather_into_tensor(buffer, out)
                self.outputs.append(buffer)  #! MEM606 warning
        return torch.cat(self.outputs)
