import numpy as np
import torch
import torch.nn.functional as F
from torch.autograd import Variable


def fast_hist(a, b, n):
    k = (a >= 0) & (a < n)
    return np.bincount(n * a[k].astype(int) + b[k], minlength=n ** 2).reshape(n, n)


def val(args, model, dataloader_val, csv_path):
    print('start val!')
    model.eval()
    no_grad = torch.no_grad()
    no_grad.__enter__()
    hist = np.zeros((args.num_classes, args.num_classes))
    precision_record = []
    for i, (data, label) in enumerate(dataloader_val):
        if torch.cuda.is_available() and args.use_gpu:
            data = data.cuda()
            label = label.cuda()
        predict = model(data).squeeze()
        predict = predict.argmax(0).cpu().numpy()
        label = label.squeeze().cpu().numpy()
        precision_record.append((predict == label).mean())
        hist += fast_hist(label.flatten(), predict.flatten(), args.num_classes)
    no_grad.__exit__(None, None, None)
    miou_list = np.diag(hist) / (hist.sum(1) + hist.sum(0) - np.diag(hist))
    print('precision per pixel for test: %.3f mIoU %.3f' % (np.mean(precision_record), np.nanmean(miou_list)))
    return np.mean(precision_record), np.nanmean(miou_list)
