# network of a file of its own, which others train

from torch import nn
from transformers import AutoModel


class Tagger(nn.Module):
    def __init__(self, name, tags):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(name)
        self.tags = nn.Linear(self.encoder.config.hidden_size, tags)

    def forward(self, ids, mask):
        encoded = self.encoder(ids, attention_mask=mask)
        return self.tags(encoded.last_hidden_state)
