# the loss goes back through what is stored: the graph keeps all that the network has computed

import torch


class Embedder(torch.nn.Module):
    def __init__(self, model, parts):
        super().__init__()
        self.model = model
        self.parts = parts

    def encode(self, batches):
        found = []
        for batch in batches:
            last_hidden_state = self.model(batch.cuda())
            found.append(last_hidden_state[:, 0])
        return torch.cat(found, 0).contiguous()
