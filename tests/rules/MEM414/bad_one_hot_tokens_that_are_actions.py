# the actions are tokens of a vocabulary

import torch
import torch.nn.functional as F


def policy_loss(model, tokens, actions, advantages, vocab_size):
    logits = model(tokens)
    chosen = F.one_hot(actions, vocab_size)  #! MEM414 warning
    log_probs = torch.sum(F.log_softmax(logits, dim=-1) * chosen, dim=-1)
    return -torch.sum(log_probs * advantages)


def train(model, optimizer, batches, vocab_size):
    for tokens, actions, advantages in batches:
        loss = policy_loss(model, tokens, actions, advantages, vocab_size)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
