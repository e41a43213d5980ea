# an agent has a few ways to act, whatever their number is called

import torch
import torch.nn.functional as F


def policy_loss(model, obs, actions, advantages):
    logits = model.policy(obs)
    act_dim = logits.shape[-1]
    chosen = F.one_hot(actions, act_dim)  #! MEM414 advice
    log_probs = torch.sum(F.log_softmax(logits, dim=1) * chosen, dim=-1)
    return -torch.sum(log_probs * advantages)


def train(model, optimizer, batches, n_actions):
    for obs, choice, advantages in batches:
        logits = model(obs)
        chosen = F.one_hot(choice, n_actions)  #! MEM414 advice
        loss = -(torch.sum(F.log_softmax(logits, dim=1) * chosen, dim=-1) * advantages).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        policy_loss(model, obs, choice, advantages)
