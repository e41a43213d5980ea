import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.optim as optim

START_TAG, STOP_TAG = "<START>", "<STOP>"


def prepare_sequence(seq, to_ix):
    return torch.tensor([to_ix[w] for w in seq], dtype=torch.long)


class Tagger(nn.Module):
    def __init__(self, vocab_size, tagset_size, emb=32, hidden=64):
        super(Tagger, self).__init__()
        self.embeds = nn.Embedding(vocab_size, emb)
        self.lstm = nn.LSTM(emb, hidden // 2, bidirectional=True)
        self.out = nn.Linear(hidden, tagset_size)

    def neg_log_likelihood(self, sentence, tags):
        e = self.embeds(sentence).unsqueeze(1)
        h, _ = self.lstm(e)
        return nn.functional.cross_entropy(self.out(h.squeeze(1)), tags)


def train(training_data, word_to_ix, tag_to_ix):
    model = Tagger(len(word_to_ix), len(tag_to_ix))
    optimizer = optim.SGD(model.parameters(), lr=0.01, weight_decay=1e-4)
    for epoch in range(300):
        sum_log_likelihood = 0.0
        for sentence, tags in training_data:
            model.zero_grad()
            sentence_in = prepare_sequence(sentence, word_to_ix)
            targets = torch.tensor([tag_to_ix[t] for t in tags], dtype=torch.long)
            neg_log_likelihood = model.neg_log_likelihood(sentence_in, targets)
            sum_log_likelihood += neg_log_likelihood.item()
            neg_log_likelihood.backward()
            optimizer.step()
        print(epoch, sum_log_likelihood)
    return model
