# a base class without layers trains and tests the forward pass of its subclasses

import torch
import torch.nn.functional as F
from torch import nn


class GraphModel(nn.Module):
    def fit(self, data, rounds=200):
        self.data = data
        optimizer = torch.optim.Adam(self.parameters())
        best = 0.0
        for _ in range(rounds):
            self.train()
            optimizer.zero_grad()
            output = self.forward(data.x, data.edge_index)
            F.nll_loss(output[data.train_mask], data.y[data.train_mask]).backward()
            optimizer.step()
            self.eval()
            output = self.forward(data.x, data.edge_index)  #! MEM201 error
            hits = output[data.val_mask].argmax(1) == data.y[data.val_mask]
            best = max(best, hits.float().mean().item())
        return best

    def test(self):
        self.eval()
        output = self.forward(self.data.x, self.data.edge_index)  #! MEM201 error
        hits = output[self.data.test_mask].argmax(1) == self.data.y[self.data.test_mask]
        return hits.float().mean().item()
