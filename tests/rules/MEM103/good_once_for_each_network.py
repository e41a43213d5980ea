# an ensemble has a few networks: what each of them gives is kept until they are averaged

import torch


@torch.no_grad()
def vote(models, image):
    votes = []
    for model in models:
        votes.append(model(image.cuda()).softmax(1))
    return torch.cat(votes).cpu().numpy()


@torch.no_grad()
def heads_of(model, image):
    maps = []
    features = model.trunk(image.cuda())
    for number in range(len(model.heads)):
        maps.append(model.heads[number](features))
    return torch.cat(maps).cpu().numpy()


@torch.no_grad()
def masks(model_list, views):
    present = []
    for number in range(len(model_list)):
        present.append(torch.isnan(views[number].cuda()))
    return torch.cat(present).cpu().numpy()
