import torch
from torch import nn
from transformers import AutoModel


class Classifier(nn.Module):
    def __init__(self, name, classes):
        super().__init__()
        self.bert = AutoModel.from_pretrained(name)
        self.head = nn.Linear(self.bert.config.hidden_size, classes)

    def forward(self, ids, mask):
        out = self.bert(ids, attention_mask=mask, output_hidden_states=True)  #! MEM128
        return self.head(out.last_hidden_state[:, 0])
