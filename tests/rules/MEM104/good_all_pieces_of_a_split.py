# all pieces are kept: together they are the whole

import torch


def pieces(batches, counts):
    kept = []
    for rois in batches:
        both = torch.cat([rois, rois.flip(0)])
        kept.append(both.split(counts))
    return kept


def halves(batches):
    kept = {}
    for step, rois in enumerate(batches):
        both = torch.cat([rois, rois.flip(0)])
        kept[step] = torch.chunk(both, 2)
    return kept


def rows(batches):
    return [torch.cat([rois, rois.flip(0)]).unbind() for rois in batches]
