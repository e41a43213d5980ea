import torch


def backward_and_step(loss, optimizer, scaler, params, max_norm):
    scaler.scale(loss).backward()
    norm = torch.nn.utils.clip_grad_norm_(params, max_norm)  #! MEM303
    scaler.step(optimizer)
    scaler.update()
    return norm


def to_half(module):
    return module.half()
