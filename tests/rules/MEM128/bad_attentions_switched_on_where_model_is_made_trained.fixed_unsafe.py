# attentions switched on where the model is made, trained in a class

import torch
from transformers import AutoModelForCausalLM


class Tuner:
    def __init__(self):
        self.model = AutoModelForCausalLM.from_pretrained("gpt2")
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-5)

    def step(self, ids):
        loss = self.model(ids, labels=ids).loss
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.item()


tuner = Tuner()
for ids in torch.randint(0, 900, (3, 1, 8)):
    print(tuner.step(ids))
