# Evaluation of one model on several domains.
import torch
from torch import nn


class Suite:
    DOMAINS = ("news", "forum", "code")

    def __init__(self, model):
        self.model = model
        self.results = {}

    def batches(self, domain, n=40):
        torch.manual_seed(self.DOMAINS.index(domain))
        return (torch.randint(200, (16, 33)) for _ in range(n))

    def perplexity(self, domain):
        losses = []
        for tokens in self.batches(domain):
            logits = self.model(tokens[:, :-1])  #! MEM201 #= MEM102
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
            losses.append(loss)  #! MEM102
        return torch.stack(losses).mean().exp().item()

    def run_evaluation(self):
        self.model.eval()
        for domain in self.DOMAINS:
            self.results[domain] = self.perplexity(domain)
        return self.results


layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
print(Suite(nn.Sequential(nn.Embedding(200, 32), layer, nn.Linear(32, 200))).run_evaluation())
