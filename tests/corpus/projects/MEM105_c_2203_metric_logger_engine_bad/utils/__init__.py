from .misc import collate, is_main_process
