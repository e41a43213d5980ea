# a product and a softmax, but nothing is weighed with it: logits of classes

import torch


def classify(images, texts, loss):
    logits = images @ texts.t()
    probabilities = logits.softmax(dim=-1)
    return loss(probabilities, torch.arange(len(images))), probabilities.argmax(-1)
