# Sentence after sentence of a document goes through a GRU whose state is carried over to the next document, too.
import torch
from torch import nn


class DocumentModel(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.cell, self.out = nn.GRUCell(width, width), nn.Linear(width, 1)

    def forward(self, sentence, memory):
        memory = self.cell(sentence, memory)
        return self.out(memory).squeeze(-1), memory


def train(model, documents, lr=1e-2):
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    memory = torch.zeros(1, 24)
    for document in documents:
        scores = []
        for sentence in document:
            score, memory = model(sentence[None], memory)  #! MEM106
            scores.append(score)
        loss = (torch.cat(scores) - document.mean(1)).pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)  #= MEM106
        opt.step()
    return loss.item()


print(train(DocumentModel(), [torch.randn(12, 24) for _ in range(100)]))
