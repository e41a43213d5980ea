# everything but the outputs of the network comes from entries of the batch


def update(model, opt, batch):
    logits, values = model(batch["obs"])
    policy = -(logits.log_softmax(-1).gather(1, batch["act"]) * batch["adv"]).mean()
    loss = policy + (values.squeeze(-1) - batch["ret"]).pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)  #! MEM108 warning
    opt.step()
    return loss.item()
