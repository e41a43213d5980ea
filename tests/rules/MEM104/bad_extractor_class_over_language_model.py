# extractor class over a language model

import torch


class Extractor:
    def __init__(self, bert):
        self.bert = bert.eval()
        self.sentences = []

    @torch.no_grad()
    def run(self, dataloader):
        for batch in dataloader:
            out = self.bert(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
            self.sentences.append(out.last_hidden_state[:, 0, :])  #! MEM104 warning
        return torch.cat(self.sentences)
