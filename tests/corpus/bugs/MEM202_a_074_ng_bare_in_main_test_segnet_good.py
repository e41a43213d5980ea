import os
import time
import torch
from argparse import ArgumentParser


def test(args, test_loader, model):
    """
    args:
      test_loader: loaded for test dataset
      model: model
    return: mean IoU
    """
    model.eval()
    total_batches = len(test_loader)
    data_list = []
    for i, (input, label, size, name) in enumerate(test_loader):
        input_var = input.cuda()
        start_time = time.time()
        with torch.no_grad():
            output = model(input_var)
        torch.cuda.synchronize()
        time_taken = time.time() - start_time
        print('[%d/%d]  time: %.2f' % (i + 1, total_batches, time_taken))
        output = output.cpu().data[0].numpy().argmax(0)
        data_list.append([label[0].numpy().flatten(), output.flatten()])
    return data_list
