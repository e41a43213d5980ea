# a function called perplexity evaluates: the loss of each window is kept with its graph

import torch


def perplexity(model, encoded, stride=256):
    losses = []
    for begin in range(0, encoded.input_ids.size(1), stride):
        window = encoded.input_ids[:, begin : begin + stride].cuda()
        outputs = model(window, labels=window)
        losses.append(outputs.loss)  #! MEM102 error
    return torch.exp(torch.stack(losses).mean())
