# a function that nobody here calls detaches what it gets before it makes arrays of it

import numpy as np
import torch


def vectors_of(encoder, tokenizer, sentences, device="cuda"):
    rows = []
    for sentence in sentences:
        tokens = tokenizer(sentence, return_tensors="pt").to(device)
        states = encoder(**tokens).last_hidden_state  #! MEM201 warning
        keep = tokens["attention_mask"].unsqueeze(-1)
        rows.append(((states * keep).sum(1) / keep.sum(1)).squeeze(0).detach().cpu().numpy())
    return np.stack(rows)


class Surrogate:
    def __init__(self, model):
        self.model = model

    def answers(self, voltages):
        answers = np.zeros(len(voltages))
        for n, row in enumerate(torch.as_tensor(voltages)):
            answers[n] = self.model(row).data.cpu().numpy()  #! MEM201 warning
        return answers
