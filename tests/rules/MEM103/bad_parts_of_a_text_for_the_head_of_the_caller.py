# the method joins the parts, and its caller gives the whole to a network: a bank to compute with

import torch


class Reader(torch.nn.Module):
    def __init__(self, bert, encoder):
        super().__init__()
        self.bert = bert.cuda()
        self.we = encoder

    def embed(self, loader):
        parts = []
        with torch.no_grad():
            for tokens in loader:
                parts.append(self.bert(tokens.cuda()))  #! MEM103 advice
        return torch.cat(parts)

    def run(self, loader):
        return self.we(self.embed(loader))


def train(net, batches, optimizer):
    for x, y in batches:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
