# the network has run: its `decode` turns scores into labels

import torch


class Parser:
    def train(self, loader, metric):
        self.model.train()
        for words, heads, rels, mask in loader:
            s_head, s_rel = self.model(words)
            loss, s_head = self.model.loss(s_head, s_rel, heads, rels, mask)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            found, kinds = self.model.decode(s_head, s_rel, mask)
            metric(found, kinds, heads, rels)


def fit(tagger, loader, optimizer):
    for words, tags in loader:
        emissions = tagger(words)
        loss = torch.nn.functional.cross_entropy(emissions, tags)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print((torch.as_tensor(tagger.decode_tags(emissions)) == tags).float().mean().item())


class Tagger:
    def fit(self, loader):
        for words, tags, mask in loader:
            scores = self.model(words)
            loss, marginals = self.model.loss(scores, tags, mask)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            best = self.model.viterbi_decode(marginals)
            print((best == tags).float().mean().item())
