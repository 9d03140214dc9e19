;;; test.el --- agent-lsp in a real Emacs  -*- lexical-binding: t; -*-

;; emacs --batch -Q -L DIR-OF-EGLOT… -L . -l test.el; AGENT_LSP is the program.

(require 'agent-lsp)
(require 'project)

(setq agent-lsp-program (or (getenv "AGENT_LSP") "agent-lsp")
      eglot-sync-connect 10
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)

(defvar test-passed 0)
(defvar test-failed 0)

(defun test (name ok &optional got)
  (setq test-passed (+ test-passed (if ok 1 0))
        test-failed (+ test-failed (if ok 0 1)))
  (princ (format "%s %s%s\n" (if ok "ok  " "FAIL") name (if ok "" (format ": %S" got)))))

(defmacro test-error-of (&rest body)
  `(condition-case err (progn ,@body "") (error (error-message-string err))))

(defun test-disk (file)
  (with-temp-buffer (insert-file-contents-literally file) (buffer-string)))

(let* ((dir (file-name-as-directory (file-truename (make-temp-file "agent-lsp-emacs" t))))
       (file (expand-file-name "a.txt" dir)))
  (unwind-protect
      (progn
        (write-region "hello world\nsecond\n" nil file nil 'silent)
        (cl-letf (((symbol-function 'project-current) (lambda (&rest _) (cons 'transient dir))))
          (agent-lsp-enable 'text-mode)
          (find-file file)
          (text-mode)
          (apply #'eglot--connect (eglot--guess-contact)))
        (with-current-buffer (get-file-buffer file)
          (test "connected" (eglot-managed-p))
          (goto-char (point-min))
          (end-of-line)
          (insert "!! ä𝄞")
          (let ((read (agent-lsp-call "read_file" :path "a.txt" :format "plain")))
            (test "what is typed is read, not what is saved"
                  (equal (plist-get read :content) "hello world!! ä𝄞\nsecond\n") read)
            (test "it says that it is unsaved" (eq t (plist-get read :dirty)) read)
            (test "the disk is as it was" (equal (test-disk file) "hello world\nsecond\n"))
            (undo-boundary)
            (let* ((edited (agent-lsp-call "edit_file" :path "a.txt" :expected_hash (plist-get read :content_hash)
                                           :old_text "ä𝄞\nsecond" :new_text "ö\nthird"))
                   (after (aref (plist-get edited :files) 0)))
              (test "an edit lands in the buffer" (equal (buffer-string) "hello world!! ö\nthird\n") (buffer-string))
              (test "and is not saved" (and (buffer-modified-p) (equal (test-disk file) "hello world\nsecond\n")))
              (test "the old hash is stale"
                    (string-prefix-p "stale_file"
                                     (test-error-of (agent-lsp-call "edit_file" :path "a.txt" :expected_hash (plist-get read :content_hash)
                                                                    :old_text "third" :new_text "x"))))
              (test "the new hash is good"
                    (equal (plist-get (agent-lsp-call "read_file" :path "a.txt" :if_hash (plist-get after :content_hash)) :not_modified) t)))
            (undo-boundary)
            (setq last-command nil)
            (undo)
            (test "one undo takes the edit back, and no more" (equal (buffer-string) "hello world!! ä𝄞\nsecond\n") (buffer-string))
            (let ((again (agent-lsp-call "read_file" :path "a.txt")))
              (test "after it the text has its hash of before" (equal (plist-get again :content_hash) (plist-get read :content_hash)))))
          (let ((hits (agent-lsp-call "grep_files" :pattern "world!!")))
            (test "a search finds unsaved text" (equal (length (plist-get hits :files)) 1) hits))
          (test "a wrong call is refused by its kind"
                (string-prefix-p "not_found" (test-error-of (agent-lsp-call "read_file" :path "b.txt"))))
          (save-buffer)
          (test "saved, it is clean" (not (eq t (plist-get (agent-lsp-call "read_file" :path "a.txt") :dirty))))
          (eglot-shutdown (eglot--current-server-or-lose))))
    (delete-directory dir t)))

(princ (format "%d passed, %d failed\n" test-passed test-failed))
(kill-emacs (if (zerop test-failed) 0 1))
;;; test.el ends here
