import torch.nn as nn
from transformers import AutoModel


class SentencePairModel(nn.Module):
    def __init__(self, name, labels=3):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(name)
        self.classifier = nn.Linear(self.encoder.config.hidden_size, labels)

    def forward(self, input_ids, attention_mask):
        h = self.encoder(input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1)
        return self.classifier((h * mask).sum(1) / mask.sum(1))
