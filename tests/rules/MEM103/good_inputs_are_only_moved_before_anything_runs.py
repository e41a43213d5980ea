# comprehensions that only move data to where several networks take it from

import torch


class Trainer:
    def evaluate(self):
        clean = [torch.from_numpy(y).cuda() for y in self.valid_set.arrays]
        low = [torch.nn.functional.interpolate(y, 8000) for y in clean]
        with torch.no_grad():
            return [self.net(y).mean().item() for y in low]


def scans(net, batches, device):
    batches = [{k: v.to(device) for k, v in b.items()} for b in batches]
    before = Scanner(net, batches).scan()
    net.prune()
    return before, Scanner(net, batches).scan()
