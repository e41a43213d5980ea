# the embeddings of both sides are multiplied with each other two methods on: a bank, which is kept where it is used

import torch
from torch import nn


class Search(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(300, 64)

    def compare(self, queries, corpus):
        return torch.einsum("ad,bd->ab", queries, corpus)

    def rank(self, queries, corpus):
        return self.compare(queries, corpus).topk(10).indices.tolist()

    def evaluate(self, corpus_loader, query_loader):
        self.eval().cuda()
        corpus, queries = [], []
        with torch.no_grad():
            for x in corpus_loader:
                corpus.append(self.encoder(x.cuda()))  #! MEM103 advice
            for x in query_loader:
                queries.append(self.encoder(x.cuda()))  #! MEM103 advice
        corpus = torch.cat(corpus)
        queries = torch.cat(queries)
        return self.rank(queries, corpus)
