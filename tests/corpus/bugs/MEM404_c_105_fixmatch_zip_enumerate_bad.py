from itertools import cycle
from tqdm import tqdm
import torch.nn.functional as F


def train_one_epoch(model, labeled_trainloader, unlabeled_trainloader, optimizer, lambda_u=1.0):
    model.train()
    batches = zip(cycle(labeled_trainloader), unlabeled_trainloader)  #! MEM404
    for i, ((x, y), ((uw, us), _)) in enumerate(tqdm(batches)):
        logits = model(x.cuda())
        q = model(uw.cuda()).softmax(1).detach()
        conf, hard = q.max(1)
        lu = (F.cross_entropy(model(us.cuda()), hard, reduction="none") * conf.ge(0.95)).mean()
        loss = F.cross_entropy(logits, y.cuda()) + lambda_u * lu
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
