from tqdm import tqdm
import torch.nn.functional as F


def train_one_epoch(model, labeled_trainloader, unlabeled_trainloader, optimizer, lambda_u=1.0):
    model.train()
    labeled = iter(labeled_trainloader)
    for i, ((uw, us), _) in enumerate(tqdm(unlabeled_trainloader)):
        try:
            x, y = next(labeled)
        except StopIteration:
            labeled = iter(labeled_trainloader)
            x, y = next(labeled)
        logits = model(x.cuda())
        q = model(uw.cuda()).softmax(1).detach()
        conf, hard = q.max(1)
        lu = (F.cross_entropy(model(us.cuda()), hard, reduction="none") * conf.ge(0.95)).mean()
        loss = F.cross_entropy(logits, y.cuda()) + lambda_u * lu
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
