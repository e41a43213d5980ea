# what has happened is told by an object of a class, in the block and in its handler

import torch


class TrainEndEvent:
    def __init__(self, source, code):
        self.source, self.code = source, code


class BatchFailed(TrainEndEvent):
    pass


def run_events(loop):
    try:
        yield from loop.events()
        yield TrainEndEvent(loop, 0)
    except torch.cuda.OutOfMemoryError as error:
        print("out of memory", error)
        yield TrainEndEvent(loop, 1)


def run_once(loop, queue):
    try:
        loop.run()
        queue.put(TrainEndEvent(loop, 0))
    except RuntimeError as error:
        if "out of memory" not in str(error):
            raise
        queue.put(TrainEndEvent(loop, 1))


def run_all(loops):
    told = []
    for loop in loops:
        try:
            told.append(BatchFailed(loop, loop.run()))
        except torch.OutOfMemoryError:
            told.append(BatchFailed(loop, -1))
    return told
